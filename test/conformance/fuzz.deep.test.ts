import { type Address, createPublicClient } from 'viem'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { usdcAbi } from '../../abis/usdc.ts'
import { connectDatabase } from '../../api/db/client.ts'
import { rpcTransport } from '../../api/nodes/rpc-transport.ts'
import { openEnvironment } from '../support/conformance.ts'
import { publishedContract } from '../support/conformance-contract.ts'
import type { WireRequest } from '../support/fuzz/draft.ts'
import type { FuzzEnvironment } from '../support/fuzz/environment.ts'
import { createFuzz, type Fuzz, kinds } from '../support/fuzz/fuzz.ts'
import { listOperations } from '../support/fuzz/operations.ts'
import { publishedDocument } from '../support/fuzz/published-document.ts'
import { fuzzSettings } from '../support/fuzz/settings.ts'
import { createStackEnvironment } from '../support/fuzz/stack-environment.ts'

const { seed, runs } = fuzzSettings({ usual: 20, deep: 20 })
vi.setConfig({ testTimeout: 60_000 + runs * 2_000 })

const environment = openEnvironment()
const document = publishedDocument()
const client = createPublicClient({ transport: rpcTransport(inject('conformanceStack').rpcUrl), cacheTime: 0 })

let fuzz: Fuzz
let known: FuzzEnvironment
let firstBlock: bigint
beforeAll(async () => {
  known = await createStackEnvironment(environment)
  firstBlock = (await client.getBlockNumber()) + 1n
  const send = async ({ target, ...init }: WireRequest) => {
    const response = await fetch(`${environment.baseUrl}${target}`, { ...init, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  fuzz = createFuzz({
    document,
    contract: publishedContract(document),
    environment: known,
    send,
    seed,
    runs,
    eager: true,
  })
})

test.each(
  listOperations(document).flatMap((operation) => kinds.map((kind) => [operation.id, kind, operation] as const)),
)('%s: %s requests are answered as documented', async (_id, kind, operation) => {
  await fuzz.drive(operation, kind)
})

test('some writes were mined', () => {
  const landed = fuzz.writes.filter(({ status }) => status === 200)
  expect(new Set(landed.map(({ operation }) => operation)).size).toBeGreaterThan(3)
})

test('a refused write binds no wallet: its intent is at most reserved', async () => {
  const refused = fuzz.writes.filter(({ status, reason }) => status >= 400 && reason !== 'idempotency_key_reused')
  const sql = connectDatabase({ url: inject('conformanceStack').databaseUrl, max: 1 })
  try {
    const rows = await sql`
      select idempotency_key, operation, status from intents
      where idempotency_key in ${sql(refused.map(({ key }) => key))} and status <> 'reserved'`
    expect(rows).toEqual([])
  } finally {
    await sql.end()
  }
})

test('every wallet paid for its completed writes, and for nothing else', async () => {
  const { usdc, forwarder } = environment.chain.deployment
  const paidBy = (payer: Address) =>
    fuzz.writes.reduce(
      (sum, { status, payment }) => (status === 200 && payment?.payer === payer ? sum + payment.amount : sum),
      0n,
    )
  for (const { address } of known.actors) {
    const transfers = await client.getContractEvents({
      address: usdc,
      abi: usdcAbi,
      eventName: 'Transfer',
      fromBlock: firstBlock,
      args: { from: address, to: forwarder },
    })
    const taken = transfers.reduce((sum, { args: { value = 0n } }) => sum + value, 0n)
    expect(taken).toBe(paidBy(address))
  }
})
