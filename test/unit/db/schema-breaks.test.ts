import { describe, expect, it } from 'vitest'
import { findSchemaBreaks } from '../../../scripts/schema/find-schema-breaks.ts'
import type { SchemaFacts, TableRule } from '../../../scripts/schema/schema-facts.ts'

const status = (values: string) => ({
  table: 'service.intents',
  kind: 'check' as const,
  columns: ['status'],
  definition: `CHECK ((status = ANY (ARRAY[${values}])))`,
})
const key: TableRule = { table: 'service.intents', kind: 'unique', columns: ['id'], definition: 'btree (id)' }
const before: SchemaFacts = {
  columns: {
    'market.task.id': 'text not null',
    'service.intents.id': 'uuid not null default',
    'service.intents.status': 'text not null',
    'service.intents.note': 'text',
  },
  rules: [key, status("'open'::text, 'held'::text")],
  functions: ['folded_tag(text)'],
}

/** Of a schema that has these columns beside, or without those that are null. */
function breaksOf(columns: Record<string, string | null>, changes: Partial<SchemaFacts> = {}) {
  const all = Object.entries({ ...before.columns, ...columns }).filter((entry): entry is [string, string] => !!entry[1])
  return findSchemaBreaks(before, { ...before, ...changes, columns: Object.fromEntries(all) })
}

describe('the schema of a release beside that of the one before', () => {
  it.each([
    ['a column of a table of the service that may be absent', { 'service.intents.kind': 'text' }],
    ['one with a default', { 'service.intents.kind': 'text not null default' }],
    ['a column of rows', { 'market.task.kind': 'text not null' }],
    ['a table', { 'service.messages.id': 'uuid not null', 'market.message.id': 'text not null' }],
  ])('given %s more, then nothing breaks', (_, columns) => {
    expect(breaksOf(columns)).toEqual([])
  })

  it.each([
    [{ 'market.task.id': null }, 'market.task.id is gone'],
    [{ 'service.intents.note': null }, 'service.intents.note is gone'],
    [{ 'market.task.id': 'uuid not null' }, 'market.task.id was text and is uuid'],
    [{ 'service.intents.note': 'text not null' }, 'service.intents.note must have a value now'],
    [{ 'market.task.id': 'text' }, 'market.task.id may be null now'],
    [{ 'service.intents.kind': 'text not null' }, 'service.intents.kind is new and has no default'],
  ])('given %j, then it breaks: %s', (columns, sentence) => {
    expect(breaksOf(columns)).toEqual([sentence])
  })

  it('given a check with more values, or a rule of new columns alone, then nothing breaks', () => {
    const rules = [key, status("'open'::text, 'held'::text, 'late'::text")]
    expect(breaksOf({}, { rules })).toEqual([])
    const ofNew: TableRule = { ...key, columns: ['kind'], definition: 'btree (kind)' }
    expect(breaksOf({ 'service.intents.kind': 'text' }, { rules: [...before.rules, ofNew] })).toEqual([])
  })

  it('given a check with fewer values, a new rule, a lost key or a lost function, then it breaks', () => {
    expect(breaksOf({}, { rules: [key, status("'open'::text")] })).toEqual([
      "service.intents has a new check: CHECK ((status = ANY (ARRAY['open'::text])))",
    ])
    const foreign: TableRule = { ...key, kind: 'foreign key', definition: 'FOREIGN KEY (id) REFERENCES other(id)' }
    expect(breaksOf({}, { rules: [...before.rules, foreign] })).toEqual([
      'service.intents has a new foreign key: FOREIGN KEY (id) REFERENCES other(id)',
    ])
    expect(breaksOf({}, { rules: before.rules.slice(1) })).toEqual([
      'service.intents has no unique btree (id) any more',
    ])
    expect(breaksOf({}, { functions: [] })).toEqual(['the function folded_tag(text) is gone'])
  })
})
