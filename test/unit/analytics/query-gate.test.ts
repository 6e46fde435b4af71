import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { admittedFunctions } from '../../../api/analytics/admitted-names.ts'
import { createQueryGate, type Verdict } from '../../../api/analytics/query-gate.ts'
import { lengthOf } from '../../../api/analytics/written-texts.ts'

const gate = createQueryGate('market')
afterAll(() => gate.stop())

const admitted = [
  'SELECT 1',
  'select * from market.task',
  'SELECT * FROM task;',
  'TABLE task',
  'VALUES (1, 2), (3, 4)',
  'SELECT 1 -- a comment',
  'SELECT DISTINCT ON (requester) requester, id FROM task ORDER BY requester, created_at_ms DESC',
  "SELECT date_trunc('day', to_timestamp(created_at)) AS day, sum(reward) FROM task GROUP BY 1 ORDER BY 1",
  'WITH big AS (SELECT * FROM task WHERE reward > 1000) SELECT count(*) FROM big',
  'WITH big AS MATERIALIZED (SELECT 1 AS n), more AS (SELECT n FROM big) SELECT * FROM more UNION ALL SELECT 2',
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT * FROM r',
  'SELECT *, row_number() OVER w, lag(reward) OVER (PARTITION BY requester ORDER BY created_at_ms) FROM task WINDOW w AS (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
  'SELECT mode, count(*) FILTER (WHERE reward > 5) FROM task GROUP BY ROLLUP (mode) HAVING count(*) > 1',
  'SELECT grouping(mode) FROM task GROUP BY GROUPING SETS ((mode), ())',
  'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY reward) FROM task',
  'SELECT * FROM task JOIN award ON award.task_id = task.id LEFT JOIN agent USING (address)',
  'SELECT * FROM task CROSS JOIN LATERAL (SELECT count(*) FROM award WHERE task_id = task.id) AS c',
  'SELECT * FROM generate_series(1, 1000000) AS g, unnest(ARRAY[1, 2]) WITH ORDINALITY AS u(a, b)',
  "SELECT * FROM generate_series('2026-01-01'::timestamptz, now(), interval '1 day')",
  'SELECT * FROM ROWS FROM (generate_series(1, 2), generate_series(1, 3)) AS x(a, b)',
  'SELECT CASE WHEN reward > 1 THEN 1 ELSE 2 END, COALESCE(worker, id), NULLIF(1, 2), GREATEST(1, 2) FROM task',
  "SELECT 1 IN (1, 2), 1 BETWEEN 0 AND 2, 'a' LIKE 'b' ESCAPE 'c', 'a' SIMILAR TO 'b', 1 IS DISTINCT FROM 2, true IS NOT UNKNOWN",
  'SELECT EXISTS (SELECT 1), (SELECT 1), 1 = ANY (ARRAY[1]), 1 > ALL (SELECT 2), ROW(1, 2) = ROW(1, 2)',
  "SELECT tag_hashes[1], tag_hashes[1:2], '{}'::jsonb -> 'a' ->> 'b', '{1}'::int[], CAST(1 AS numeric(78, 0)) FROM task",
  "SELECT EXTRACT(epoch FROM now()), now() AT TIME ZONE 'UTC', CURRENT_TIMESTAMP, CURRENT_DATE, make_interval(days => 1)",
  "SELECT TRIM(BOTH 'x' FROM 'xax'), SUBSTRING('abc' FROM 1 FOR 2), POSITION('a' IN 'b'), 'a' COLLATE \"C\"",
  "SELECT string_agg(DISTINCT id, ',' ORDER BY id), concat_ws(',', VARIADIC ARRAY['a', 'b']) FROM task",
  'SELECT 1 UNION (SELECT 2 INTERSECT SELECT 3) EXCEPT SELECT 4 ORDER BY 1 NULLS LAST OFFSET 1 FETCH FIRST 2 ROWS WITH TIES',
  'SELECT t FROM task AS t',
  'SELECT d.width, d.path, d.host FROM (SELECT 1 AS width, 2 AS path, 3 AS host) AS d',
  "SELECT translate(id, 'abc', 'def'), overlay(id PLACING 'x' FROM 2 FOR 3) FROM task",
  'SELECT t.id, t.mode, h.version, a.rank, market.task.id FROM task AS t, indexed_head AS h, award AS a',
  "SELECT * FROM task WHERE id LIKE '0x%' AND strpos(id, 'ab') > 0 AND tag_hashes @> ARRAY['0x1', '0x2'] AND id ILIKE 'A' ESCAPE '!'",
  "SELECT split_part(id, '-', 1), replace(id, 'a', mode), btrim(id), trim(id), rtrim(id, 'x') FROM task WHERE '{}'::text[] && tag_hashes",
  "SELECT id FROM task WHERE id LIKE '%' || $1::text || '%' AND id LIKE lower($2) AND id LIKE ANY (ARRAY['a%', 'b%'])",
  "SELECT replace(id, chr(10), ' '), trim(both ' ' || chr(9) from id), tag_hashes @> ARRAY[lower('x')] FROM task",
  "SELECT 1 = ANY (SELECT 2), to_char(now(), 'YYYY-MM'), to_timestamp(0), 1 IS DISTINCT FROM 2, 1 BETWEEN SYMMETRIC 2 AND 1",
  'SELECT $1::text, $2',
  `SELECT id FROM task WHERE requester IN (${Array.from({ length: 150 }, (_, index) => `'0x${index}'`).join(', ')})`,
]

test.each(admitted)('given %s, then it is admitted', async (text) => {
  expect(await gate.check(text)).toMatchObject({ parameterCount: text.includes('$2') ? 2 : 0 })
})

/** A text, the message that refuses it, and the position of the error. */
const refused: [text: string, sentence: RegExp, position: number | null][] = [
  // Statements.
  ['DELETE FROM task', /^Only SELECT/, null],
  ['EXPLAIN ANALYZE SELECT 1', /^Only SELECT/, null],
  ['SELECT 1; SELECT 2', /^Send one statement/, null],
  ['SELECT 1; COMMIT', /^Send one statement/, null],
  ['-- nothing', /^Send one statement/, null],
  ['', /^The query is empty/, null],
  ['SELECT 1 FROM', /^syntax error at end of input/, 14],
  ["SELECT 'é', [", /^syntax error at or near "\["/, 13],
  ["SELECT 'é', pg_sleep(1)", /^The function "pg_sleep"/, 13],
  ['COPY task TO STDOUT', /^Only SELECT/, null],
  ['SET role market_service', /^Only SELECT/, null],
  ["DO 'BEGIN END'", /^Only SELECT/, null],
  ['LISTEN market_head', /^Only SELECT/, null],
  ['DECLARE c CURSOR FOR SELECT 1', /^Only SELECT/, null],
  // Parts of a SELECT that write or lock.
  ['SELECT * INTO copy FROM task', /^SELECT with INTO/, null],
  ['SELECT * FROM task FOR UPDATE', /^SELECT with FOR UPDATE/, 15],
  ['WITH t AS NOT MATERIALIZED (SELECT id FROM task) SELECT * FROM t', /^NOT MATERIALIZED is not admitted/, 6],
  ['WITH gone AS (DELETE FROM task RETURNING *) SELECT * FROM gone', /must be a SELECT/, 6],
  [
    'SELECT * FROM (WITH gone AS (UPDATE task SET id = id RETURNING 1) SELECT * FROM gone) AS g',
    /must be a SELECT/,
    21,
  ],
  // Relations.
  ['SELECT * FROM service.intents', /^Only tables of market/, 15],
  ['SELECT * FROM pg_class', /^Only tables of market/, 15],
  ['SELECT * FROM PG_CLASS', /^Only tables of market/, 15],
  ['SELECT * FROM "pg_class"', /^Only tables of market/, 15],
  ['SELECT * FROM pg_catalog.pg_class', /^Only tables of market/, 15],
  ['SELECT * FROM information_schema.tables', /^Only tables of market/, 15],
  ['SELECT * FROM other.market.task', /^A table with the name of a database/, 15],
  ['SELECT * FROM pg_temp.task', /^Only tables of market/, 15],
  ['SELECT (SELECT 1 FROM pg_stat_activity)', /^Only tables of market/, 23],
  ['SELECT 1 WHERE EXISTS (TABLE pg_roles)', /^Only tables of market/, 30],
  ['SELECT 1 ORDER BY (SELECT 1 FROM pg_roles)', /^Only tables of market/, 34],
  ['SELECT * FROM task TABLESAMPLE system (1)', /^TABLESAMPLE/, 32],
  // Functions.
  ['SELECT pg_sleep(1)', /^The function "pg_sleep"/, 8],
  ['SELECT pg_catalog.pg_sleep(1)', /^The function "pg_sleep"/, 8],
  ['SELECT "pg_sleep"(1)', /^The function "pg_sleep"/, 8],
  ['SELECT market.lower(1)', /^The function "lower"/, 8],
  ["SELECT set_config('a', 'b', false)", /^The function "set_config"/, 8],
  ["SELECT repeat('x', 1000000000)", /^The function "repeat"/, 8],
  ["SELECT lpad('x', 1000000000)", /^The function "lpad"/, 8],
  ["SELECT format('%1000000000s', 'x')", /^The function "format"/, 8],
  ['SELECT array_fill(0, ARRAY[100000000])', /^The function "array_fill"/, 8],
  ['SELECT count(*) OVER (ORDER BY pg_sleep(1))', /^The function "pg_sleep"/, 32],
  ['SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL)', /^The function "pg_sleep"/, 31],
  ["SELECT string_agg('a', 'b' ORDER BY pg_sleep(1))", /^The function "pg_sleep"/, 37],
  ['SELECT * FROM pg_sleep(1)', /^The function "pg_sleep"/, 15],
  ['SELECT 1 LIMIT pg_sleep(1)', /^The function "pg_sleep"/, 16],
  ['VALUES (pg_sleep(1))', /^The function "pg_sleep"/, 9],
  // The same function in field notation.
  ['SELECT (1.5).pg_sleep', /^\(value\)\.name/, 8],
  ['SELECT (1.5::float8).pg_sleep', /^\(value\)\.name/, 8],
  ["SELECT ('{a}'::text[])[1].lower", /^\(value\)\.name/, null],
  ['SELECT (task).id FROM task', /^\(value\)\.name/, 8],
  ['SELECT t.pg_sleep FROM float8(60) AS t', /^"pg_sleep" is also a function/, 8],
  ["SELECT s.current_setting FROM unnest(ARRAY['port']) AS s", /^"current_setting" is also a function/, 8],
  ['SELECT t.current_setting, 1 AS current_setting FROM task AS t', /^"current_setting" is also a function/, 8],
  ['SELECT text(g.regclass) FROM generate_series(1, 9) AS g', /^"regclass" is also a function/, 13],
  ['SELECT g.regrole FROM generate_series(1, 9) AS g', /^"regrole" is also a function/, 8],
  ["SELECT t.ts_stat FROM text('SELECT 1') AS t", /^"ts_stat" is also a function/, 8],
  ...['_regclass', '_regproc', '_regrole', '_oid', '_xml', '_bpchar', '_aclitem', '_pg_authid', 'pg_authid'].map(
    (name): [string, RegExp, number] => [
      `SELECT g.${name} FROM unnest(ARRAY['{1}']) AS g`,
      /is also a function or a type/,
      8,
    ],
  ),
  ['SELECT 1 FROM task AS t ORDER BY t.xml', /^"xml" is also a function/, 34],
  // Work that cannot be cancelled.
  ["SELECT strpos(x, 'b' || left(x, 300000)) FROM (SELECT id AS x FROM task) AS q", /^What strpos searches for/, 8],
  ['SELECT position(id IN mode) FROM task', /^What position searches for/, 8],
  ["SELECT replace(id, id, '') FROM task", /^What replace searches for/, 8],
  ['SELECT split_part(id, id, 1) FROM task', /^What split_part searches for/, 8],
  ['SELECT string_to_array(id, id) FROM task', /^What string_to_array searches for/, 8],
  ['SELECT ltrim(id, id), 1 FROM task', /^What ltrim searches for/, 8],
  ['SELECT trim(id FROM mode) FROM task', /^What btrim searches for/, 8],
  [`SELECT strpos(id, '${'a'.repeat(129)}') FROM task`, /^What strpos searches for .* 128 characters/, 8],
  [`SELECT id LIKE '${'a'.repeat(64)}' || '${'b'.repeat(65)}' FROM task`, /^The pattern of LIKE/, 11],
  [`SELECT ltrim(id, '${'a'.repeat(17)}') FROM task`, /^What ltrim searches for .* 16 characters/, 8],
  [`SELECT ${Array.from({ length: 33 }, () => "strpos(id, 'a')").join(', ')} FROM task`, /^A query searches for/, null],
  ["SELECT id LIKE '%' || mode FROM task", /^The pattern of LIKE/, 11],
  ["SELECT id NOT ILIKE mode ESCAPE '!' FROM task", /^The pattern of LIKE/, 11],
  ['SELECT a.tag_hashes @> b.tag_hashes FROM task AS a, task AS b', /^One side of @> must be written out/, 21],
  ['SELECT array_agg(id) && tag_hashes FROM task', /^One side of && must be written out/, null],
  ["SELECT translate(id, mode, 'z') FROM task", /^What translate searches for/, 8],
  ['SELECT normalize(id) FROM task', /^The function "normalize"/, 8],
  [`SELECT 1${' + 1'.repeat(201)}`, /^A query has at most 200 calls/, null],
  [`SELECT id IN (${Array.from({ length: 201 }, () => 'id').join(',')}) FROM task`, /^A query has at most 200/, null],
  [`SELECT ${'GREATEST(id, mode) || '.repeat(70)}id FROM task`, /^A query has at most 200/, null],
  [`SELECT CASE id ${'WHEN id THEN 1 '.repeat(201)}END FROM task`, /^A query has at most 200/, null],
  [
    `SELECT ${Array.from({ length: 201 }, () => 't.md5').join(' || ')} FROM lower('x') AS t`,
    /^A query has at most 200/,
    null,
  ],
  ["SELECT strpos(id, '1e100000'::numeric::text) FROM task", /^What strpos searches for/, 8],
  ['SELECT strpos(id, 1e131071::text) FROM task', /^What strpos searches for/, 8],
  ["SELECT id LIKE ANY (SELECT '%' || mode FROM task) FROM task", /^Before ANY/, null],
  ['SELECT tag_hashes @> ANY (SELECT tag_hashes FROM task) FROM task', /^Before ANY/, null],
  ['SELECT to_timestamp(id, mode) FROM task', /^What to_timestamp searches for/, 8],
  ["SELECT '{}'::jsonb @@ '$.a == 1'", /^The operator @@ is not admitted/, 20],
  ["SELECT '{}'::jsonb @? '$.a'", /^The operator @\? is not admitted/, 20],
  ["SELECT '{}'::jsonb #- '{a}'", /^The operator #- is not admitted/, 20],
  [
    `SELECT tag_hashes && ARRAY[${Array.from({ length: 65 }, () => "'a'").join(',')}] FROM task`,
    /^One side of &&/,
    null,
  ],
  [`SELECT tag_hashes && '{${Array.from({ length: 200 }, () => '9').join(',')}}' FROM task`, /^One side of &&/, null],
  // Casts, operators and keywords.
  ["SELECT 'service.intents'::regclass", /^A cast to "regclass"/, 27],
  ["SELECT 'lower'::regproc", /^A cast to "regproc"/, 17],
  ["SELECT CAST('1' AS oid)", /^A cast to "oid"/, 20],
  ["SELECT regclass 'task'", /^A cast to "regclass"/, 8],
  ["SELECT '<a/>'::xml", /^A cast to "xml"/, 16],
  ["SELECT 'x'::char(10485760)", /^A cast to "bpchar"/, 13],
  ["SELECT 'x'::pg_catalog.regclass", /^A cast to "regclass"/, 13],
  ["SELECT 'x'::market.text", /^A cast to "text"/, 13],
  ['SELECT 1 OPERATOR(pg_catalog.+) 2', /^An operator/, 10],
  ['SELECT 1 ORDER BY 1 USING <', /with USING/, null],
  ['SELECT CURRENT_USER', /^CURRENT_USER/, 8],
  ['SELECT SESSION_USER', /^SESSION_USER/, 8],
  ['SELECT CURRENT_CATALOG', /^CURRENT_CATALOG/, 8],
  ['SELECT CURRENT_SCHEMA', /^CURRENT_SCHEMA/, 8],
  ["SELECT XMLPARSE(DOCUMENT '<a/>')", /^XML is/, 8],
  ["SELECT JSON_OBJECT('a': 1)", /^json/i, 8],
  // Sizes.
  ['SELECT * FROM generate_series(1, 1000001)', /^generate_series makes at most/, 15],
  ['SELECT generate_series(-500001, 500000)', /^generate_series makes at most/, 8],
  [
    `SELECT * FROM ${Array.from({ length: 21 }, (_, index) => `task AS t${index}`).join(', ')}`,
    /^A query reads at most 20/,
    null,
  ],
]

test.each(refused)('given %s, then it is refused with a sentence and its place', async (text, sentence, position) => {
  const verdict = await gate.check(text)
  if (!('message' in verdict)) throw new Error(`admitted: ${text}`)
  expect(verdict.message).toMatch(sentence)
  if (position !== null) expect(verdict.position).toBe(position)
})

test('given the deepest text that fits, when it is checked, then it is answered in time and the next text too', async () => {
  const deep = [
    `SELECT ${'('.repeat(4000)}1${')'.repeat(4000)}`,
    `SELECT ${'NOT '.repeat(2000)}true`,
    `SELECT ${'- '.repeat(4000)}1`,
    `SELECT 1${'+1'.repeat(4000)}`,
    `SELECT ${'(SELECT '.repeat(900)}1${')'.repeat(900)}`,
    `SELECT ${'ARRAY['.repeat(1100)}1${']'.repeat(1100)}`,
    `SELECT ${'CASE WHEN true THEN '.repeat(320)}1${' END'.repeat(320)}`,
    `SELECT ${'lower('.repeat(1100)}'a'${')'.repeat(1100)}`,
    `${'SELECT 1 UNION ALL '.repeat(400)}SELECT 1`,
    `${'('.repeat(4000)}SELECT 1`,
  ]
  for (const text of deep) {
    await gate.check(text)
    expect(await gate.check('SELECT 1 AS still')).toMatchObject({ parameterCount: 0 })
  }
})

describe('given a pattern of parameters', () => {
  test('when it is used several times, then each use counts', async () => {
    const verdict = await gate.check("SELECT id LIKE $1 || 'ab' || lower($2) || $1 AND mode LIKE 'cd', $3 FROM task")
    if ('message' in verdict) throw new Error(verdict.message)
    expect(verdict.patterns).toHaveLength(1)
    const [pattern] = verdict.patterns
    expect(pattern?.maxLength).toBe(128)
    expect(pattern && lengthOf(pattern.text, ['12345', null, 'not in it'])).toBe(2 + 5 + 5)
  })

  test('when it is one element of an array, then each element is its own pattern', async () => {
    const verdict = await gate.check("SELECT tag_hashes && ARRAY[$1, 'ab', $2 || $2]::text[] FROM task")
    if ('message' in verdict) throw new Error(verdict.message)
    expect(verdict.patterns.map(({ text }) => lengthOf(text, ['123', '45']))).toEqual([3, 4])
  })
})

describe('given a thread that fails', () => {
  test('when it ends, throws or does not answer, then that text alone is refused, and not cached', async () => {
    const program = new URL('./breaking-worker.ts', import.meta.url)
    const fragile = createQueryGate('market', { program })
    try {
      const texts = ['throw', 'fine', 'exit', 'fine too', 'silent', 'fine as well']
      const verdicts = await Promise.all(texts.map((text) => fragile.check(text)))
      const isFine = (verdict: Verdict) => !('message' in verdict)
      expect(verdicts.map(isFine)).toEqual([false, true, false, true, false, true])
      expect(await fragile.check('throw')).toMatchObject({
        message: expect.stringMatching(/^The query is too complex/),
      })
    } finally {
      await fragile.stop()
    }
  })
})

test('given a thread that starts for longer than a text may be parsed, then its first text is parsed all the same', async () => {
  const program = new URL('./breaking-worker.ts?start=1500', import.meta.url)
  const slow = createQueryGate('market', { program, parseLimitMs: 1_000 })
  try {
    expect(await slow.check('fine')).toEqual({ parameterCount: 0 })
  } finally {
    await slow.stop()
  }
})

test('given two texts with the same beginning of their hash, then each has its own verdict', async () => {
  const { collision } = await import('../../support/sql/colliding-queries.ts')
  const [harmless, hostile] = collision
  expect(await gate.check(harmless)).toMatchObject({ parameterCount: 0 })
  expect(await gate.check(hostile)).toMatchObject({ message: expect.stringMatching(/^Send one statement/) })
})

test('given the documentation, then it lists the admitted functions', () => {
  const text = readFileSync('docs/analytics.md', 'utf8')
  const [, listed = ''] = /The functions:\n\n```\n([\s\S]*?)\n```/.exec(text) ?? []
  expect(listed.split(/\s+/)).toEqual([...admittedFunctions].sort())
})
