import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { findRefusal } from '../../../api/analytics/find-refusal.ts'

beforeAll(() => loadModule())

/** The message of a refusal; null: admitted. */
function refusalOf(query: string): string | null {
  const found = findRefusal(parseSync(query).stmts, 'market')
  return 'message' in found ? found.message : null
}

const sets = (count: number, first = 0) =>
  `GROUPING SETS (${Array.from({ length: count }, (_, index) => `(created_at + ${first + index})`).join(', ')})`

describe('given grouping sets', () => {
  test.each([
    ['products of sets', `SELECT 1 FROM task GROUP BY ${sets(64)}, ${sets(63, 64)}`],
    ['CUBE', 'SELECT 1 FROM task GROUP BY CUBE (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)'],
    ['products of ROLLUP', `SELECT 1 FROM task GROUP BY ${Array(4).fill('ROLLUP (1, 2, 3, 4)').join(', ')}`],
    ['sets in sets', 'SELECT 1 FROM task GROUP BY GROUPING SETS (CUBE (1, 2, 3, 4, 5, 6, 7, 8, 9), ())'],
    ['sums over subqueries', `SELECT 1 WHERE 1 IN (${Array(3).fill(cubeOf(8)).join(' UNION ')})`],
  ])('when it is %s, then it is refused', (_name, query) => {
    expect(refusalOf(query)).toBe('A query groups by at most 512 sets of columns, in all its GROUP BY clauses.')
  })

  test.each([
    'SELECT mode, status, count(*) FROM task GROUP BY CUBE (mode, status)',
    'SELECT mode, status, count(*) FROM task GROUP BY mode, ROLLUP (status, (requester, worker))',
    `SELECT 1 FROM task GROUP BY ${sets(20)}, ${sets(20, 20)}`,
    cubeOf(9),
  ])('when it is %s, then it is admitted', (query) => {
    expect(refusalOf(query)).toBeNull()
  })

  function cubeOf(columns: number): string {
    return `SELECT 1 FROM task GROUP BY CUBE (${Array.from({ length: columns }, (_, index) => index + 1).join(', ')})`
  }
})
