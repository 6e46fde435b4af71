import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { findRefusal } from '../../../api/analytics/find-refusal.ts'

beforeAll(() => loadModule())

/** The sentence of a refusal; null: admitted. */
function refusalOf(query: string): string | null {
  const found = findRefusal(parseSync(query).stmts, 'market')
  return 'message' in found ? found.message : null
}

const nested = (levels: number, of: string, target: string) =>
  Array.from({ length: levels }).reduce<string>(
    (query, _, level) => `SELECT ${target} FROM (${query}) AS q${level}`,
    of,
  )

describe('searches in values that were put together', () => {
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
    ['a window', `SELECT x LIKE '%0%' FROM (SELECT string_agg(id, '') OVER () AS x FROM task) AS q`],
    ['containment', `SELECT x @> ARRAY['a'] FROM (SELECT array_agg(id) AS x FROM task) AS q`],
    [
      'many patterns',
      `SELECT ${Array.from({ length: 30 }, () => `title LIKE '%${'0'.repeat(120)}%'`).join(' OR ')} FROM task`,
    ],
  ])('%s: refused', (_name, query) => {
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
  ])('%s: admitted', (query) => {
    expect(refusalOf(query)).toBeNull()
  })
})

describe('expressions that double with every subquery', () => {
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
  ])('%s: refused', (_name, query) => {
    expect(refusalOf(query)).toMatch(/^The query repeats columns of its subqueries too often/)
  })

  test('where each subquery groups, they are admitted', () => {
    const levels = nested(8, "SELECT id > 'a' AS b FROM task", 'b AND b AS b').replaceAll(') AS', ' GROUP BY 1) AS')
    expect(refusalOf(levels)).toBeNull()
    expect(refusalOf(nested(8, 'SELECT reward AS r FROM task', 'r + r AS r'))).toBeNull()
  })
})

describe('what stands before ANY and ALL', () => {
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
  ])('%s: refused', (_name, query, sentence) => {
    expect(refusalOf(query)).toMatch(sentence)
  })

  test.each([
    "SELECT id FROM task WHERE mode = ANY (ARRAY['bounty', 'claim'])",
    'SELECT id FROM task WHERE $1 = ANY (tag_hashes)',
    'SELECT id FROM task WHERE reward > ALL (ARRAY[1, 2])',
    "SELECT id FROM task WHERE mode LIKE ANY (ARRAY['b%', 'c%'])",
  ])('%s: admitted', (query) => {
    expect(refusalOf(query)).toBeNull()
  })
})

describe('patterns of numbers', () => {
  test.each([
    "SELECT strpos(id, '1e131071'::jsonb::text) FROM task",
    "SELECT rtrim(id, '1e131071'::json::text) FROM task",
  ])('%s: refused', (query) => {
    expect(refusalOf(query)).toMatch(/must be written out/)
  })

  test('a parameter that is also used as a number: refused', () => {
    expect(refusalOf('SELECT id LIKE $1 FROM task WHERE $1::numeric > 0')).toMatch(/^\$1 is part of a pattern/)
    expect(refusalOf('SELECT id LIKE $1, strpos(id, $1) FROM task WHERE $2::numeric > 0')).toBeNull()
  })
})
