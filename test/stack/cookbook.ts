import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'
import { type ChainMoney, readChainMoney } from './chain-money.ts'
import { cookbookMoney } from './cookbook-money.ts'
import { sqlOf } from './stack-sql.ts'

const text = readFileSync(join(repositoryRoot, 'docs', 'build', 'cookbook.md'), 'utf8')
const recipes = text
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    question: section.split('\n')[0] ?? '',
    queries: [...section.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, query = '']) => query),
  }))
/** Questions about what did not happen on the demo tasks. */
const withoutRows = ['Deferred payouts', 'Market by day']

/**
 * The questions of docs/build/cookbook.md on the demo tasks. What their answers say of money is compared with the contracts.
 * @param read the running stack
 */
export function testCookbook(read: () => StackDescription): void {
  describe('docs/build/cookbook.md', () => {
    let chain: ChainMoney
    test('given the newest block of the chain, then the standby replays it', async () => {
      chain = await readChainMoney(read())
      const isReplayed = async () => {
        const [head] = await sqlOf(read())('SELECT block_number::int AS block FROM market.indexed_head')
        return Number(head?.block) >= Number(chain.block)
      }
      await expect.poll(isReplayed).toBe(true)
    })

    test('given its header, then it lists every question', () => {
      const listed = [...text.matchAll(/\[([^\]]+)\]\(#[a-z0-9-]+\)/g)].map(([, question]) => question)
      expect(listed.length).toBeGreaterThanOrEqual(28)
      expect(listed).toEqual(recipes.map(({ question }) => question))
      expect(Object.keys(cookbookMoney).filter((question) => !listed.includes(question))).toEqual([])
    })

    test.each(recipes)(
      'given $question, then it is answered, and its money is that of the chain',
      async ({ question, queries }) => {
        expect(queries).toHaveLength(1)
        const rows = await sqlOf(read())(queries[0] ?? '')
        if (!withoutRows.includes(question)) expect(rows).not.toEqual([])
        const compare = cookbookMoney[question]
        if (compare === undefined) return
        const [answered, expected] = compare(rows, chain)
        expect(answered).toEqual(expected)
      },
    )
  })
}
