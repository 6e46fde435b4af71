import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { openHttp } from '../../support/conformance-http.ts'
import { dumpRows } from '../../support/row-dump.ts'
import type { TestStack } from '../../support/stack.ts'

/** Interface, "Identity, devices and keys": the identity that a signed device gets its wallet. */

let stack: TestStack
let sql: postgres.Sql

async function calldataOf({ client }: TestStack): Promise<string[]> {
  const calldata: string[] = []
  const head = await client.getBlockNumber()
  for (let blockNumber = 0n; blockNumber <= head; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    calldata.push(...transactions.map(({ input }) => input))
  }
  return calldata
}

async function rowsOf(database: postgres.Sql): Promise<string[]> {
  const schemas = await database<{ name: string }[]>`
    select distinct table_schema as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('information_schema', 'pg_catalog')`
  const dumps = await Promise.all(schemas.map(({ name }) => dumpRows(database, name)))
  return dumps.flatMap(({ tables }) => [...tables.values()].flat())
}

/** Registers these tests, on a stack that the caller starts, with every line of the log, and ends. */
export function testMints(stackOf: () => TestStack): void {
  describe('mints of identities', () => {
    beforeAll(async () => {
      stack = stackOf()
      sql = postgres(stack.databaseUrl, { max: 2, onnotice: () => {} })
    })
    afterAll(() => sql?.end())

    it('no transaction, log line and row has a signature of the wallet', async () => {
      const actor = anActor()
      const signature = await actor.account.signMessage({ message: `service:device-register:${actor.address}` })
      const headers = await readHeadersOf(actor)
      const body = { walletAddress: actor.address, signature }
      const answer = await openHttp(stack.baseUrl()).post('/devices', { body, headers })
      expect(answer).toMatchObject({ status: 200, body: { agentId: expect.any(String) } })
      const readSignature = headers['X-Service-Caller-Signature'] ?? ''
      const texts = [...(await calldataOf(stack)), stack.api().child.readLog(), ...(await rowsOf(sql))]
      // The wallet itself is everywhere: what is searched is what there is.
      const wallet = actor.address.slice(2)
      expect(texts.filter((text) => text.toLowerCase().includes(wallet)).length).toBeGreaterThan(2)
      for (const secret of [signature, readSignature]) {
        // r and s alone are enough to build the signature again.
        for (const part of [secret.slice(2, 66), secret.slice(66, 130)]) {
          expect(texts.filter((text) => text.toLowerCase().includes(part))).toEqual([])
        }
      }
    })
  })
}
