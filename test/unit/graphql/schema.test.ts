import { getTableColumns, is, Table } from 'drizzle-orm'
import { GraphQLEnumType, getNamedType, isObjectType } from 'graphql/index.js'
import { expect, test } from 'vitest'
import { buildMarketSchema } from '../../../graphql/schema/build-schema.ts'
import { relationsOf } from '../../../graphql/schema/relations.ts'
import { tables } from '../../../graphql/schema/tables.ts'
import { readerTables as ponderTables } from '../../../src/views/reader-tables.ts'

const schema = buildMarketSchema()

function fieldsOf(typeName: string) {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`no type ${typeName}`)
  return { type, fields: type.getFields() }
}

test('given a table, then its type, the field of each column and each relation have a description', () => {
  const silent = Object.entries(ponderTables).flatMap(([typeName, table]) => {
    if (!is(table, Table)) return []
    const { type, fields } = fieldsOf(typeName)
    const missing = Object.keys(getTableColumns(table)).filter((name) => fields[name] === undefined)
    const undescribed = Object.values(fields).filter(({ description }) => !description)
    return [
      ...(type.description ? [] : [typeName]),
      ...missing,
      ...undescribed.map(({ name }) => `${typeName}.${name}`),
    ]
  })
  expect(silent).toEqual([])
})

test('given a text that names columns, then a description names the fields', () => {
  expect(fieldsOf('bonusAccount').fields.epoch?.description).toContain('`workerUsd`')
  expect(fieldsOf('task').fields.lastEntryId?.description).toContain('`taskEntry.previousEntryId`')
})

test('given every table, then its list has the plural of its name', () => {
  const plurals = tables.map(({ plural }) => plural)
  expect(plurals).toEqual(expect.arrayContaining(['tasks', 'pitches', 'identities', 'taskEntries', 'vaultAddresses']))
  expect(plurals).toEqual(expect.arrayContaining(['bonusEpochs', 'vaultEpochs', 'vaultLeaves', 'marketStatsList']))
  expect(plurals.filter((plural) => /([^e]ys|[^o]chs|ss|afs)$/.test(plural))).toEqual([])
  expect(Object.keys(fieldsOf('Query').fields)).toEqual(expect.arrayContaining(plurals))
})

test('given every table, then no relation has the name of a column or of another relation', () => {
  for (const table of tables) {
    const names = [...table.columns.keys(), ...relationsOf(table).map(({ name }) => name)]
    expect(names.length, table.name).toBe(new Set(names).size)
  }
})

test('given a text that tells a closed list of words, then its column is an enum of them', () => {
  const wordsOf = (table: string, column: string) => {
    const type = getNamedType(fieldsOf(table).fields[column]?.type)
    return type instanceof GraphQLEnumType ? type.getValues().map(({ name }) => name) : []
  }
  const enums = tables.flatMap((table) =>
    [...table.columns.values()]
      .filter(({ type }) => type instanceof GraphQLEnumType)
      .map((column) => ({ table, column })),
  )
  expect(enums.length).toBe(15)
  for (const { table, column } of enums) {
    // `statusAfter` is one of `task.status`.
    if (column.name === 'statusAfter') continue
    const words = wordsOf(table.name, column.name)
    expect(
      words.filter((word) => word !== 'unknown' && !column.description.includes(word)),
      `${table.name}.${column.name}`,
    ).toEqual([])
  }
  expect(wordsOf('task', 'mode')).toEqual(['bounty', 'claim', 'pitch', 'benchmark', 'auction', 'unknown'])
})
