import { expect, test } from 'vitest'
import { createWrittenTables } from '../../../ops/indexer/written-tables.ts'

/** Of these tables those that may have been written. */
function writtenAfter(...statements: string[]): string[] {
  const written = createWrittenTables()
  for (const statement of statements) written.read(statement)
  return ['task', 'bid', 'agent'].filter((table) => written.mayHave(table))
}

const all = ['task', 'bid', 'agent']

test.each([
  ['insert into "idx_1"."bid" ("id") values ($1)', ['bid']],
  ['UPDATE "idx_1"."task" as target SET "id" = source."id" FROM "task" source', ['task']],
  ['\n  COPY "idx_1"."agent" FROM STDIN', ['agent']],
  ['delete from "idx_1"."task" where "idx_1"."task"."id" = $1 returning "id"', ['task']],
  // A copy of a table without a schema is one of Ponder's own.
  ['COPY "task" FROM STDIN', []],
  ['select "id" from "idx_1"."task" where "idx_1"."task"."id" = $1', []],
  ['SAVEPOINT flush', []],
  ['ROLLBACK to flush', []],
  ['update bid set id = 1', all],
])('given a transaction with %j, then %j may have been written', (statement, expected) => {
  expect(writtenAfter('begin', statement)).toEqual(expected)
})

test('given the end of a transaction, then any table may have been written, and none in the next one', () => {
  expect(writtenAfter()).toEqual(all)
  expect(writtenAfter('begin', 'insert into "idx_1"."bid" values ($1)', 'commit')).toEqual(all)
  expect(writtenAfter('begin', 'insert into "idx_1"."bid" values ($1)', 'rollback', 'begin')).toEqual([])
})
