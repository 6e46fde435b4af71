import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { findRefusal } from '../../../api/analytics/find-refusal.ts'

beforeAll(() => loadModule())

/** The message of a refusal; null: admitted. */
function refusalOf(query: string): string | null {
  const found = findRefusal(parseSync(query).stmts, 'market')
  return 'message' in found ? found.message : null
}

const nested = (levels: number, of: string, target: string) =>
  Array.from({ length: levels }).reduce<string>(
    (query, _, level) => `SELECT ${target} FROM (${query}) AS q${level}`,
    of,
  )

describe('given searches in composed values', () => {
  const zeros = "(SELECT string_agg('0', '') AS x FROM generate_series(1, 1000000)) AS q"

  test.each([
    ['LIKE', `SELECT x LIKE '%00%' FROM ${zeros}`],
    [
      'LIKE through an alias of the columns',
      `SELECT y LIKE '%00%' FROM (SELECT string_agg('0', '') FROM task) AS q (y)`,
    ],
    [
      'LIKE in a column without a name',
      `SELECT string_agg LIKE '%00%' FROM (SELECT string_agg('0', '') FROM task) AS q`,
    ],
    ['LIKE through a star', `SELECT x LIKE '%00%' FROM (SELECT * FROM ${zeros}) AS r`],
    ['LIKE through a CTE', `WITH w AS (SELECT * FROM ${zeros}) SELECT x LIKE '%00%' FROM w`],
    ['LIKE in the text of a row', `SELECT q::text LIKE '%00%' FROM ${zeros}`],
    [
      'LIKE in the text of all columns',
      `SELECT (q.*)::text LIKE '%00%' FROM (SELECT 1, string_agg(id, '') AS x FROM task) AS q`,
    ],
    ['LIKE in a document that was indented', `SELECT jsonb_pretty(title::jsonb) LIKE '%00%' FROM task`],
    ['LIKE in a subquery', `SELECT (SELECT x FROM ${zeros}) LIKE '%00%'`],
    ['LIKE in an array of a subquery', `SELECT array_to_string(ARRAY(SELECT id FROM task), '') LIKE '%00%'`],
    ['LIKE in a correlated subquery', `SELECT (SELECT max(1) FROM task WHERE x LIKE '%00%') FROM ${zeros}`],
    ['LIKE in a lateral subquery', `SELECT y FROM ${zeros}, LATERAL (SELECT x LIKE '%00%' AS y) AS r`],
    ['LIKE in the condition of a join', `SELECT 1 FROM ${zeros} JOIN task ON x LIKE '%00%'`],
    ['LIKE after UNION', `SELECT id LIKE '%00%' FROM (SELECT id FROM task UNION SELECT x FROM ${zeros}) AS r`],
    [
      'LIKE in a recursive query',
      `WITH RECURSIVE r AS (SELECT 'a' AS x UNION ALL SELECT x || x FROM r) SELECT x LIKE '%a%' FROM r`,
    ],
    [
      'LIKE after replacements',
      `SELECT replace(replace(title, 'a', '${'b'.repeat(100)}'), 'b', '${'c'.repeat(100)}') LIKE '%c%' FROM task`,
    ],
    ['strpos', `SELECT strpos(x, '00') FROM ${zeros}`],
    ['position', `SELECT position('00' in x) FROM ${zeros}`],
    ['rtrim', `SELECT rtrim(x, '01') FROM ${zeros}`],
    ['an aggregate called as a field', `SELECT q.string_agg LIKE '%0%' FROM ${zeros}`],
    ['an aggregate of a table called as a field', `SELECT t.array_agg::text LIKE '%0%' FROM task AS t`],
    ['a window', `SELECT x LIKE '%0%' FROM (SELECT string_agg(id, '') OVER () AS x FROM task) AS q`],
    ['containment', `SELECT x @> ARRAY['a'] FROM (SELECT array_agg(id) AS x FROM task) AS q`],
    [
      'many patterns',
      `SELECT ${Array.from({ length: 30 }, () => `title LIKE '%${'0'.repeat(120)}%'`).join(' OR ')} FROM task`,
    ],
  ])('when it is %s, then it is refused', (_name, query) => {
    expect(refusalOf(query)).toMatch(/^What .* searches may be too long/)
  })

  test.each([
    "SELECT id FROM task WHERE lower(title) LIKE '%solidity%' OR description LIKE $1",
    "SELECT mode, string_agg(id, ',') FROM task WHERE title LIKE '%x%' GROUP BY mode",
    "SELECT mode FROM (SELECT mode, array_agg(id) AS ids FROM task GROUP BY mode) AS q WHERE mode LIKE 'b%'",
    "WITH t AS (SELECT *, split_part(title, ' ', 1) AS first FROM task) SELECT first FROM t WHERE first LIKE 'a%'",
    'SELECT (array_agg(reward ORDER BY created_at))[1] - min(reward) FROM task',
    'SELECT max(reward) - min(reward), sum(reward) - avg(reward) FROM task',
    "SELECT tag_hashes @> ARRAY['0x01'] FROM task",
    "SELECT to_char(to_timestamp(created_at), 'YYYY-MM') AS month, count(*) FROM task GROUP BY 1",
    'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n',
  ])('when it is %s, then it is admitted', (query) => {
    expect(refusalOf(query)).toBeNull()
  })
})

describe('given expressions that double with every subquery', () => {
  test.each([
    ['AND', nested(16, "SELECT id > 'a' AS b FROM task", 'b AND b AS b')],
    [
      'UNION ALL',
      nested(8, "SELECT id > 'a' AS b FROM task", 'b AND b AND b AND b AS b').replaceAll(
        '(SELECT',
        '(SELECT true UNION ALL SELECT',
      ),
    ],
    ['two columns', nested(16, "SELECT id > 'a' AS b, id > 'b' AS c FROM task", 'b AND c AS b, b OR c AS c')],
    [
      'CTEs',
      `WITH t0 AS (SELECT id > 'a' AS b FROM task)${Array.from({ length: 16 }, (_, i) => `, t${i + 1} AS (SELECT b AND b AS b FROM t${i})`).join('')} SELECT b FROM t16`,
    ],
  ])('when it is %s, then it is refused', (_name, query) => {
    expect(refusalOf(query)).toMatch(
      /^The query (repeats columns of its subqueries too often|may work on long values too often)/,
    )
  })

  test('when each subquery limits its rows or is materialized, then they are admitted', () => {
    const levels = nested(16, "SELECT id > 'a' AS b FROM task", 'b AND b AS b').replaceAll(') AS', ' OFFSET 0) AS')
    expect(refusalOf(levels)).toBeNull()
    const tables = Array.from({ length: 16 }, (_, i) => `, t${i + 1} AS MATERIALIZED (SELECT b AND b AS b FROM t${i})`)
    expect(
      refusalOf(
        `WITH t0 AS MATERIALIZED (SELECT id > 'a' AS b FROM task)${tables.join('')} SELECT b FROM t16 WHERE b AND b`,
      ),
    ).toBeNull()
    expect(refusalOf(nested(8, 'SELECT reward AS r FROM task', 'r + r AS r'))).toBeNull()
  })
})

describe('given operations on long values in one row', () => {
  const bits = "SELECT x::numeric > 0 AS b FROM (SELECT '0b' || string_agg('1', '') AS x FROM task) AS bits"
  const texts = "SELECT '0b' || string_agg('1', '') AS x FROM task"
  const wrapped = (levels: number, of: string, wrap: (inner: string) => string) =>
    Array.from({ length: levels }).reduce<string>((inner) => wrap(inner), of)
  const and = (count: number) => `${Array(count).fill('b').join(' AND ')} AS b`

  test.each([
    ['numbers read again for each reference to a column', nested(2, bits, and(12))],
    [
      'as many references side by side',
      `SELECT ${Array.from({ length: 150 }, (_, index) => `b AS b${index}`).join(', ')} FROM (${bits}) AS q`,
    ],
    [
      'searches again for each reference',
      nested(2, `SELECT title NOT LIKE '%${'0'.repeat(100)}b%' AS b FROM task`, and(20)),
    ],
    [
      'logarithms to bases near 1',
      `SELECT ${Array.from({ length: 20 }, (_, index) => `log(1 + 1e-16383, ${index}.3) AS l${index}`).join(', ')}`,
    ],
    [
      'logarithms in many subqueries',
      `SELECT 1${Array.from({ length: 10 }, (_, index) => `, (SELECT log(1 + 1e-16383, ${index}.3))`).join('')}`,
    ],
    [
      'hashes of one long value',
      `SELECT ${Array.from({ length: 60 }, (_, index) => `md5(x || ${index}) AS h${index}`).join(', ')} FROM (SELECT string_agg(title, '') AS x FROM task) AS q`,
    ],
    [
      'conditions on grouped rows, which are checked before they are grouped',
      `SELECT 1 FROM (${bits} GROUP BY 1) AS q WHERE ${and(60).replace(' AS b', '')}`,
    ],
    [
      'conditions on distinct rows, likewise',
      `SELECT 1 FROM (${bits.replace('SELECT', 'SELECT DISTINCT')}) AS q WHERE ${and(60).replace(' AS b', '')}`,
    ],
    [
      'the left side of BETWEEN, once for each bound',
      `SELECT ${wrapped(5, 'x::numeric > 0', (left) => `(${left}) BETWEEN false AND true`)} FROM (${texts}) AS q`,
    ],
    [
      'both sides of BETWEEN SYMMETRIC',
      `SELECT ${wrapped(5, 'x::numeric > 0', (bound) => `false BETWEEN SYMMETRIC true AND (${bound})`)} FROM (${texts}) AS q`,
    ],
    [
      'the left side of IN, once for each column',
      `SELECT ${wrapped(4, 'x::numeric > 0', (left) => `(${left}) IN (listed, open, true)`)} FROM task, (${texts}) AS q`,
    ],
    [
      'the rows of IN, once for each row',
      `SELECT ${wrapped(4, 'x::numeric > 0', (left) => `((${left}), 1) IN ((true, 1), (true, 2))`)} FROM (${texts}) AS q`,
    ],
    [
      'numbers of an array, each as long as one',
      `SELECT ('{' || string_agg(x, ',') || '}')::numeric[] FROM (${texts}) AS q`,
    ],
    ['the keys of a text that becomes a document', `SELECT string_agg(title, '')::jsonb FROM task`],
    [
      'the keys of documents of tables, in many columns',
      `SELECT ${Array.from({ length: 5 }, (_, index) => `args::jsonb ->> 'k${index}'`).join(', ')} FROM task_event`,
    ],
    ['the keys of a document of type json', `SELECT to_jsonb(string_agg(title, '')::json) FROM task`],
    ['the keys of a document that rows make', 'SELECT to_jsonb(json_object_agg(id, 1)) FROM task'],
    [
      'the keys of a document in a row',
      "SELECT jsonb_agg(q) FROM (SELECT string_agg(title, '')::json AS j FROM task) AS q",
    ],
    ['the keys of a part of a document', "SELECT jsonb_build_array(json_object_agg(id, '{}'::json) -> 'a') FROM task"],
    ['the keys of documents in an array', 'SELECT to_jsonb(ARRAY(SELECT title::json FROM task))'],
    ['a cast to a document as a field', "SELECT t.jsonb FROM (SELECT string_agg(title, '') FROM task) AS t"],
    [
      'fractions in an array',
      'SELECT percentile_disc((SELECT array_agg(rank / 1e3) FROM bid)) WITHIN GROUP (ORDER BY amount) FROM bid',
    ],
    [
      'rows of VALUES',
      `VALUES (${Array.from({ length: 20 }, (_, index) => `log(1 + 1e-16383, ${index}.3)`).join(', ')})`,
    ],
    [
      'conditions of joins',
      `SELECT 1 FROM task JOIN bid ON ${Array.from({ length: 20 }, (_, index) => `log(bid.amount, ${index}.3) > 0`).join(' AND ')}`,
    ],
  ])('when it is %s, then it is refused', (_name, query) => {
    expect(refusalOf(query)).toMatch(/^The query may work on long values too often/)
  })

  test.each([
    `SELECT ${Array.from({ length: 40 }, (_, index) => `round(sum(reward) FILTER (WHERE mode = 'm${index}') / 1e6, 2) AS r${index}`).join(', ')} FROM task`,
    `SELECT ${Array.from({ length: 30 }, (_, index) => `sum((args ->> 'k${index}')::numeric) AS s${index}`).join(', ')} FROM task_event`,
    "SELECT length(string_agg(title, ',')), md5(string_agg(id, ',' ORDER BY id)), upper(left(string_agg(mode, ''), 10)) FROM task",
    `SELECT * FROM task WHERE id IN (${Array.from({ length: 150 }, (_, index) => `$${(index % 99) + 1}`).join(', ')})`,
    `SELECT * FROM task WHERE reward BETWEEN 1 AND 2 AND (created_at BETWEEN $1 AND $2) IN (true, false) AND mode IN (${Array(200).fill("'bounty'").join(', ')})`,
    `SELECT mode, n, n - lag(n) OVER (ORDER BY mode) AS more, n::numeric / sum(n) OVER () AS share, total / nullif(n, 0) AS mean
      FROM (SELECT mode, count(*) AS n, sum(reward) AS total FROM task GROUP BY mode) AS q WHERE n > 10 AND total / n > 1e6`,
    "SELECT args::jsonb ->> 'a', args::jsonb -> 'b' FROM task_event",
    "SELECT args ->> 'a', json_object_agg(id, args) FROM task_event GROUP BY 1",
    'SELECT jsonb_agg(q), to_jsonb(count(*)) FROM (SELECT mode, title || description AS text, count(*) FROM task GROUP BY 1, 2) AS q',
    "SELECT jsonb_build_object('a', id, 'b', title || description, 'c', args), to_jsonb(e) FROM task_event AS e, task",
    'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY reward), percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY reward), percentile_cont($1) WITHIN GROUP (ORDER BY reward) FROM task',
    nested(2, bits.replace("'0b' || string_agg('1', '')", 'left(title, 70)'), and(8)),
  ])('when it is %s, then it is admitted', (query) => {
    expect(refusalOf(query)).toBeNull()
  })
})

describe('given values that are longer than their texts in the query', () => {
  const numbers = Array(500).fill('1e131071').join(',')
  const pattern = `LIKE '%${'0'.repeat(100)}b%'`

  test.each([
    ['an array of numbers', `SELECT '{${numbers}}'::numeric[]::text ${pattern}`],
    ['numbers of a document', `SELECT '[${numbers}]'::jsonb::text ${pattern}`],
    ['numbers of a document from a parameter', `SELECT $1::jsonb ->> 0 ${pattern}`],
    ['numbers of a document that was json', `SELECT to_jsonb('[${numbers}]'::json)::text ${pattern}`],
    ['numbers of an array, by a cast as a field', `SELECT t._numeric::text ${pattern} FROM text('{${numbers}}') AS t`],
    [
      'a value for each fraction',
      `SELECT array_to_string(percentile_disc('{${Array(90).fill('0').join(',')}}'::float8[]) WITHIN GROUP (ORDER BY title), '') ${pattern} FROM task`,
    ],
    [
      'rows in rows, whose quotes double',
      `SELECT ${'row('.repeat(14)}title${')'.repeat(14)}::text ${pattern} FROM task`,
    ],
    ['rows of subqueries, whose quotes double', `SELECT q13::text ${pattern} FROM (${rowsInRows(14)}) AS q13`],
  ])('when it is %s, then their searches are refused', (_name, query) => {
    expect(refusalOf(query)).toMatch(/^What LIKE searches may be too long/)
  })

  /** `SELECT q12 FROM (SELECT q11 FROM (...) AS q11) AS q12` */
  function rowsInRows(levels: number): string {
    let query = 'SELECT title FROM task'
    for (let level = 0; level < levels - 1; level += 1) query = `SELECT q${level} FROM (${query}) AS q${level}`
    return query
  }
})

describe('given operands of ANY and ALL', () => {
  test.each([
    ['jsonb ? ANY', 'SELECT j ? ANY (a) FROM q', /operator \? is not admitted/],
    [
      '< ANY of an array that is not written out',
      'SELECT id < ANY (tag_hashes) FROM task',
      /ARRAY that is written out/,
    ],
    [
      'LIKE ANY with 33 patterns',
      `SELECT id LIKE ANY (ARRAY[${Array(33).fill("'a'").join(', ')}]) FROM task`,
      /at most 32 patterns/,
    ],
  ])('when it is %s, then it is refused', (_name, query, sentence) => {
    expect(refusalOf(query)).toMatch(sentence)
  })

  test.each([
    "SELECT id FROM task WHERE mode = ANY (ARRAY['bounty', 'claim'])",
    'SELECT id FROM task WHERE $1 = ANY (tag_hashes)',
    'SELECT id FROM task WHERE reward > ALL (ARRAY[1, 2])',
    "SELECT id FROM task WHERE mode LIKE ANY (ARRAY['b%', 'c%'])",
  ])('when it is %s, then it is admitted', (query) => {
    expect(refusalOf(query)).toBeNull()
  })
})

describe('given patterns of numbers', () => {
  test.each([
    "SELECT strpos(id, '1e131071'::jsonb::text) FROM task",
    "SELECT rtrim(id, '1e131071'::json::text) FROM task",
  ])('when it is %s, then it is refused', (query) => {
    expect(refusalOf(query)).toMatch(/must be written out/)
  })

  test('when a parameter is also used as a number, then it is refused', () => {
    expect(refusalOf('SELECT id LIKE $1 FROM task WHERE $1::numeric > 0')).toMatch(/^\$1 is part of a pattern/)
    expect(refusalOf('SELECT id LIKE $1, strpos(id, $1) FROM task WHERE $2::numeric > 0')).toBeNull()
  })
})

describe('given an array that each value is compared with', () => {
  test.each([
    ['made of a text', "SELECT id FROM task WHERE id = ANY (string_to_array($1, ','))"],
    ['made of a text, by a cast', 'SELECT id FROM task WHERE id = ANY (title::text[])'],
    ['made of rows', 'SELECT id FROM task WHERE id <> ALL ((SELECT array_agg(id) FROM bid)::text[])'],
    ['made of rows, below', 'SELECT 1 FROM task, (SELECT array_agg(id) AS ids FROM bid) AS q WHERE id = ANY (q.ids)'],
    [
      'made of rows, in another',
      'SELECT 1 FROM task, (SELECT array_agg(id) AS ids FROM bid) AS q WHERE id = ANY (ARRAY[q.ids])',
    ],
    ['made of a text, in another', "SELECT 1 FROM task WHERE id = ANY (ARRAY[string_to_array(title, ',')])"],
    ['made of patterns', "SELECT id FROM task WHERE id ~ ANY (string_to_array(title, ','))"],
  ])('when it is %s, then it is refused', (_name, query) => {
    expect(refusalOf(query)).toMatch(/compare with IN \(SELECT unnest\(\.\.\.\)\)/)
  })

  test.each([
    "SELECT id FROM task WHERE id = ANY ($1) AND requester = ANY ($2::text[]) AND mode = ANY ('{bounty,pitch}')",
    'SELECT id FROM task WHERE $1 = ANY (tag_hashes) AND worker <> ALL (ARRAY[requester, lower(mode), $2])',
    'SELECT id FROM task WHERE id IN (SELECT unnest(ids) FROM (SELECT array_agg(task_id) AS ids FROM bid) AS q)',
    'SELECT id FROM task WHERE id = ANY (SELECT task_id FROM bid)',
  ])('when it is %s, then it is admitted', (query) => {
    expect(refusalOf(query)).toBeNull()
  })
})
