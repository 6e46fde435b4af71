import postgres from 'postgres'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { dumpRows } from '../../support/row-dump.ts'
import type { TestStack } from '../../support/stack.ts'

/** Interface, "Identity, devices and keys": the identity that a signed device gets its wallet. */

/** Settings of the service. */
const environment = { LOG_LEVEL: 'trace', TRUSTED_PROXIES: '127.0.0.1', MINT_ANSWER_MS: '15000' }

let stack: TestStack
let sql: postgres.Sql

interface Registration {
  actor: Actor
  signature?: Hex
  headers?: Record<string, string>
}

const signatureOf = ({ account, address }: Actor) =>
  account.signMessage({ message: `service:device-register:${address}` })

// biome-ignore lint/suspicious/noExplicitAny: a parsed answer; the assertions decide its shape.
async function register({ actor, signature, headers }: Registration): Promise<any> {
  const response = await fetch(`${stack.baseUrl()}/api/devices`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ walletAddress: actor.address, signature }),
  })
  expect(response.status).toBe(200)
  return await response.json()
}

const registerSigned = async (actor = anActor(), headers: Record<string, string> = {}) =>
  await register({ actor, signature: await signatureOf(actor), headers })

/** The ids that the registrar logged for a wallet. */
async function mintedFor({ address }: Actor): Promise<bigint[]> {
  const logs = await stack.client.getContractEvents({
    address: stack.deployment.identityRegistrar,
    abi: identityRegistrarAbi,
    eventName: 'AgentRegistered',
    fromBlock: 0n,
  })
  return logs.flatMap(({ args }) => (isAddressEqual(args.actor as Address, address) ? [args.agentId as bigint] : []))
}

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

/** Registers these tests, on a stack that the caller starts and ends. */
export function testMints(stackOf: () => TestStack): void {
  describe('mints of identities', () => {
    beforeAll(async () => {
      stack = stackOf()
      await stack.restartApi(environment)
      sql = postgres(stack.databaseUrl, { max: 2, onnotice: () => {} })
    })
    afterAll(() => sql?.end())

    describe('a signed device', () => {
      it('without a signature gets none, also with the read identity of the wallet', async () => {
        const actor = anActor()
        expect(await register({ actor })).toMatchObject({ agentId: null, verified: false })
        const headers = await readHeadersOf(actor)
        expect(await register({ actor, headers })).toMatchObject({ agentId: null, verified: true })
        expect(await mintedFor(actor)).toEqual([])
      })
    })

    it('no transaction, log line and row has a signature of the wallet', async () => {
      const actor = anActor()
      const signature = await signatureOf(actor)
      const headers = await readHeadersOf(actor)
      const { agentId } = await register({ actor, signature, headers })
      expect(agentId).not.toBeNull()
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

    it('while no block is mined, the answer comes without an agent id, and the next registration finds the same mint', async () => {
      await stack.restartApi({ ...environment, MINT_ANSWER_MS: '1500' })
      await stack.anvil.request('evm_setAutomine', [false])
      const actor = anActor()
      expect(await registerSigned(actor)).toMatchObject({ agentId: null, verified: true })
      await stack.anvil.request('evm_setAutomine', [true])
      await stack.anvil.request('evm_mine', [])
      const readAgentId = async () => (await registerSigned(actor)).agentId
      await expect.poll(readAgentId).not.toBeNull()
      expect(await mintedFor(actor)).toEqual([BigInt(await readAgentId())])
    })
  })
}
