import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Difference } from '../../../api/read-model/books.queries.ts'
import type { Books } from '../../../scripts/stack/books-text.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets } from '../writes/wallets.ts'
import { createCall, REWARD } from '../writes/write-calls.ts'

/** Registers these tests, on a stack that the caller starts and ends, and whose service runs. */
export function testBooks(stackOf: () => TestStack): void {
  describe('the books of a running service', () => {
    let stack: TestStack
    let sql: postgres.Sql
    beforeAll(() => {
      stack = stackOf()
      sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
    })
    afterAll(() => sql?.end())

    /** Sees rounds go by, hurried, until the part `books` of `/ready` says what is expected. */
    const untilReady = (is: (differences: Difference[]) => boolean) =>
      expect
        .poll(
          async () => {
            await sql`UPDATE service.audits SET due_at = now() WHERE due_at < now() + interval '61 seconds'`
            await sql`UPDATE service.audits SET state = jsonb_set(state, '{startedAt}', '0') WHERE part = 'tasks'`
            const { checks } = (await (await fetch(`${stack.baseUrl()}/ready`)).json()) as {
              checks: { books: { differences?: Difference[] } }
            }
            return is(checks.books.differences ?? [])
          },
          { timeout: 100_000, interval: 500 },
        )
        .toBe(true)

    it('given a paid write, then a row changed by hand, then /ready names sum and task until it is as before', async () => {
      const account = await createWallets(stack).funded(2n * REWARD)
      const client = createPayingClient({ baseUrl: stack.baseUrl(), account })
      const { status, body } = await client.pay(createCall())
      expect(status).toBe(200)
      const setEscrow = (escrow: bigint) =>
        sql.begin(async (tx) => {
          // Ponder's own trigger is for its own sessions.
          await tx`SET LOCAL session_replication_role = replica`
          await tx`UPDATE market.task SET escrow = ${String(escrow)} WHERE id = ${body.taskId}`
        })
      await untilReady((differences) => differences.length === 0)
      const books = (await (await fetch(`${stack.baseUrl()}/api/books`)).json()) as Books
      expect(books.assets[0]?.contracts.map(({ name, difference }) => [name, difference])).toEqual([
        ['market', '0'],
        ['forwarder', '0'],
      ])

      await setEscrow(REWARD - 1n)
      await untilReady((differences) => {
        const found = differences.map(({ sum, of, amount, fields }) => ({ sum, of, amount, fields }))
        const expected = [
          { sum: 'market_total_escrow', of: null, amount: '1', fields: undefined },
          { sum: 'tasks', of: body.taskId, amount: '1', fields: ['escrow'] },
        ]
        return JSON.stringify(found) === JSON.stringify(expected)
      })
      expect(stack.api().child.readLog()).toContain('rows and contracts differ')
      await setEscrow(REWARD)
      await untilReady((differences) => differences.length === 0)
    }, 300_000)
  })
}
