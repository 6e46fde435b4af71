import { getTableColumns, is, Table } from 'drizzle-orm'
import { isObjectType } from 'graphql/index.js'
import { expect, test } from 'vitest'
import { buildMarketGraphql } from '../../../api/graphql/market-graphql.ts'
import * as tables from '../../../ponder.schema.ts'

const { schema } = await buildMarketGraphql()

function fieldsOf(typeName: string) {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`no type ${typeName}`)
  return { type, fields: type.getFields() }
}

test('given a table, then its type and the field of each column have a description', () => {
  const silent = Object.entries(tables).flatMap(([typeName, table]) => {
    if (!is(table, Table)) return []
    const { type, fields } = fieldsOf(typeName)
    const columns = Object.keys(getTableColumns(table)).filter((name) => !fields[name]?.description)
    return [...(type.description ? [] : [typeName]), ...columns.map((name) => `${typeName}.${name}`)]
  })
  expect(silent).toEqual([])
})

test('given a text that names columns, then a description names the fields', () => {
  expect(fieldsOf('bonusAccount').fields.epoch?.description).toContain('`workerUsd`')
  expect(fieldsOf('task').fields.lastEntryId?.description).toContain('`taskEntry.previousEntryId`')
})
