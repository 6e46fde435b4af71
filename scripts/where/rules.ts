import type { Declaration } from './declarations.ts'
import type { Row, Sources } from './sources.ts'

const table = 'api/domain/actions/action-rules.ts'

/** Lists the rows of the rule table for an action. */
export function rulesOf({ code, declarations }: Sources, action: string): Declaration[] {
  const row = new RegExp(`^ {2}${action}: \\[([^\\]]*)\\]`, 'm').exec(code.textOf(table))?.[1] ?? ''
  return row.split(',').flatMap((name) => declarations.resolve(table, name.trim()) ?? [])
}

/** The rows of an answer for rules: statuses and window are shown as they are written. */
export function ruleRows(rules: readonly Declaration[]): Row[] {
  return rules.map((rule) => {
    const facts = ['statuses', 'window'].flatMap((field) => {
      const value = new RegExp(`^ {2}${field}: (.*),$`, 'm').exec(rule.text)?.[1]
      return value === undefined ? [] : [`${field} ${value.replace(/[[\]']/g, '')}`]
    })
    return { label: 'rule', place: rule, text: [rule.name, ...facts].join('; ') }
  })
}

/** Returns the declarations that admit an action by any rule. */
export function admission({ declarations }: Sources): Declaration[] {
  return [...declarations.in('api/domain/actions/admit.ts')]
}
