import type { SchemaFacts, TableRule } from './schema-facts.ts'

/**
 * Matches a list of allowed values in a check, such as `ARRAY['a'::text, 'b'::text]`. A new release may add values to
 * such a list.
 */
const listedValues = /ARRAY\[([^\]]*)\]/g

/**
 * Finds changes of the schema with which programs of the earlier release could not work. Such a program must still be
 * able to read its columns, to write its rows, to name the columns of a conflict, and to call its functions. A new
 * table and an optional new column are no such change. Each result is a sentence.
 *
 * Example: `service.intents.note is gone`
 */
export function findSchemaBreaks(before: SchemaFacts, now: SchemaFacts): string[] {
  return [
    ...Object.entries(before.columns).flatMap(([name, facts]) => findChange(name, facts, now.columns[name])),
    ...findRequiredColumns(before, now),
    ...findRules(before, now),
    ...before.functions.filter((name) => !now.functions.includes(name)).map((name) => `the function ${name} is gone`),
  ]
}

function findChange(name: string, before: string, now: string | undefined): string[] {
  if (now === undefined) return [`${name} is gone`]
  if (typeOf(now) !== typeOf(before)) return [`${name} was ${typeOf(before)} and is ${typeOf(now)}`]
  if (isOptional(before) && !isOptional(now)) return [`${name} must have a value now`]
  const mayBeNull = before.includes(' not null') && !now.includes(' not null')
  return mayBeNull ? [`${name} may be null now`] : []
}

/**
 * Finds new columns without a default in tables of the service. Programs of the earlier release write rows without
 * these columns.
 */
function findRequiredColumns(before: SchemaFacts, now: SchemaFacts): string[] {
  const tables = new Set(Object.keys(before.columns).map(tableOf))
  return Object.entries(now.columns)
    .filter(([name]) => name.startsWith('service.') && tables.has(tableOf(name)) && !(name in before.columns))
    .filter(([, facts]) => !isOptional(facts))
    .map(([name]) => `${name} is new and has no default`)
}

function findRules(before: SchemaFacts, now: SchemaFacts): string[] {
  const has = ({ rules }: SchemaFacts, { table, kind, definition }: TableRule) =>
    rules.some((rule) => rule.table === table && rule.kind === kind && rule.definition === definition)
  const lostRules = before.rules.filter((rule) => rule.kind === 'unique' && !has(now, rule))
  const addedRules = now.rules.filter(
    (rule) =>
      rule.columns.some((column) => `${rule.table}.${column}` in before.columns) &&
      !has(before, rule) &&
      !before.rules.some((oldRule) => isWider(rule, oldRule)),
  )
  return [
    ...lostRules.map(({ table, definition }) => `${table} has no unique ${definition} any more`),
    ...addedRules.map(({ table, kind, definition }) => `${table} has a new ${kind}: ${definition}`),
  ]
}

/** Returns true if a rule is the same check as an old rule, with the same or more allowed values. */
function isWider(rule: TableRule, oldRule: TableRule): boolean {
  if (rule.table !== oldRule.table || rule.kind !== 'check' || oldRule.kind !== 'check') return false
  const listsOf = ({ definition }: TableRule) =>
    [...definition.matchAll(listedValues)].map(([, values = '']) => values.split(', '))
  const frameOf = ({ definition }: TableRule) => definition.replace(listedValues, 'ARRAY[]')
  const lists = listsOf(rule)
  return (
    frameOf(rule) === frameOf(oldRule) &&
    listsOf(oldRule).every((values, index) => values.every((value) => lists[index]?.includes(value)))
  )
}

function typeOf(facts: string): string {
  return facts.replace(/ (not null|default)/g, '')
}

function isOptional(facts: string): boolean {
  return !facts.includes(' not null') || facts.endsWith(' default')
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'))
}
