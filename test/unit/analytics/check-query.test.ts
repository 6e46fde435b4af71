import { readFileSync } from 'node:fs'
import { loadModule } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { admittedFunctions } from '../../../api/analytics/admitted-functions.ts'
import { checkQuery } from '../../../api/analytics/check-query.ts'
import { QueryFailed } from '../../../api/analytics/query-failure.ts'

beforeAll(() => loadModule())

test.each([
  ['SELECT 1', 0],
  ['select * from market.task', 0],
  ['SELECT * FROM task; -- a comment', 0],
  ['TABLE task', 0],
  ['VALUES (1, 2), (3, 4)', 0],
  ['WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT * FROM r', 0],
  ['SELECT lag(reward) OVER (PARTITION BY requester ORDER BY id) FROM task GROUP BY ROLLUP (mode)', 0],
  ['SELECT * FROM task CROSS JOIN LATERAL (SELECT count(*) FROM award WHERE task_id = task.id) AS c', 0],
  ['SELECT id FROM task WHERE id LIKE mode AND strpos(id, mode) > 0 AND tag_hashes @> tag_hashes', 0],
  ['SELECT table_name FROM information_schema.tables', 0],
  ["SELECT relname, obj_description(oid, 'pg_class') FROM pg_catalog.pg_class", 0],
  ['SELECT $1::text, $3', 3],
  [`SELECT ${Array.from({ length: 1_000 }, (_, index) => index).join(' + ')}`, 0],
])('given query %#, then it is admitted', (text, parameters) => {
  expect(checkQuery(text)).toBe(parameters)
})

test.each([
  ['DELETE FROM task', 'refused', /^Only SELECT/, null],
  ['EXPLAIN ANALYZE SELECT 1', 'refused', /^Only SELECT/, null],
  ['SELECT 1; COMMIT', 'refused', /^Send one statement/, null],
  ['SELECT * INTO copy FROM task', 'refused', /^SELECT INTO/, null],
  ['-- nothing', 'refused', /^Send one statement/, null],
  ['', 'refused', /^The query is empty/, null],
  ['SELECT 1 FROM', 'syntax', /^syntax error at end of input/, 14],
  ["SELECT 'é', [", 'syntax', /^syntax error at or near "\["/, 13],
  ["SELECT 'é', pg_sleep(1)", 'refused', /^The function "pg_sleep"/, 13],
  ['SELECT pg_catalog.pg_sleep(1)', 'refused', /^The function "pg_sleep"/, 8],
  ['SELECT "pg_sleep"(1)', 'refused', /^The function "pg_sleep"/, 8],
  ['SELECT market.lower(1)', 'refused', /^The function "lower"/, 8],
  ["SELECT repeat('x', 1000000000)", 'refused', /^The function "repeat"/, 8],
  ['SELECT * FROM task WHERE id IN (SELECT pg_sleep(1)::text)', 'refused', /"pg_sleep"/, 40],
  ["WITH a AS (SELECT 1 ORDER BY set_config('a', 'b', false)) SELECT * FROM a", 'refused', /"set_config"/, 30],
  ['SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) OVER (ORDER BY lower(1))', 'refused', /"pg_sleep"/, 31],
  ['SELECT * FROM ROWS FROM (pg_ls_dir($$/$$)) AS f', 'refused', /"pg_ls_dir"/, 26],
  ["SELECT upper('a'), pg_sleep(1), pg_sleep(2)", 'refused', /"pg_sleep"/, 20],
])('given %s, then it is %s with the place', (text, kind, sentence, position) => {
  let failure: unknown
  try {
    checkQuery(text)
  } catch (error) {
    failure = error
  }
  expect(failure).toBeInstanceOf(QueryFailed)
  expect(failure).toMatchObject({ kind, message: expect.stringMatching(sentence), position })
})

test('given docs/build/analytics.md, then it lists the admitted functions and no others', () => {
  const documentation = readFileSync('docs/build/analytics.md', 'utf8')
  const listed = /The functions:\n\n```\n([\s\S]*?)```/.exec(documentation)?.[1]?.trim().split(/\s+/) ?? []
  expect(listed).toEqual([...admittedFunctions].sort())
})
