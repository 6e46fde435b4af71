import { decodeFunctionData, type Hex, verifyTypedData } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { queries, writes } from '../../../api/server/routes.ts'
import type { TestApi } from '../../support/api.ts'
import { startApiWithStandby } from '../../support/api-with-standby.ts'
import { publishedContract } from '../../support/conformance-contract.ts'
import { byDepth } from '../../support/depth.ts'
import { createFuzz, type Fuzz, kinds } from '../../support/fuzz/fuzz.ts'
import { listOperations } from '../../support/fuzz/operations.ts'
import { publishedDocument } from '../../support/fuzz/published-document.ts'
import { createRowEnvironment } from '../../support/fuzz/row-environment.ts'
import { fuzzSettings } from '../../support/fuzz/settings.ts'
import { leaveBooks } from '../../support/scripted-books.ts'
import { agreeToEverything } from '../writes/fake-payments.ts'

const { seed, runs } = fuzzSettings({ usual: 1, deep: 120 })
// Thousands of requests a test, when asked for.
vi.setConfig({ testTimeout: 60_000 + runs * 1_000 })

const document = publishedDocument()
const operations = listOperations(document)

let api: TestApi
let fuzz: Fuzz
beforeAll(async () => {
  api = await startApiWithStandby({ WRITE_ANSWER_MS: '100', MINT_ANSWER_MS: '250' })
  takePayments(api)
  api.deps.deployment.bound = true
  const environment = await createRowEnvironment(api)
  await leaveBooks(api)
  const send = async ({ target, ...init }: { target: string; method: string }) => {
    const response = await api.app.request(target, init)
    const { status, headers } = response
    expect(headerBytes(headers), target).toBeLessThan(MOST_HEADER_BYTES)
    return { status, headers, text: await response.text() }
  }
  fuzz = createFuzz({ document, contract: publishedContract(document), environment, send, seed, runs })
})
afterAll(() => api.stop())

/**
 * The response buffer of proxies with their usual settings is 4 KB. Beside the headers that the app sets, it holds the
 * status line and those of the connection.
 */
const MOST_HEADER_BYTES = 3_850

function headerBytes(headers: Headers): number {
  return [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length, 0)
}

/** A chain that knows a good payment from a bad one. Of each function's calls the first goes through, and one in five. */
function takePayments({ chain, ...rest }: TestApi): void {
  agreeToEverything({ chain, ...rest })
  const calls = new Map<Hex, number>()
  Object.assign(chain, {
    verifyTypedData: async ({ address, typedData, signature }: Parameters<typeof chain.verifyTypedData>[0]) =>
      await verifyTypedData({ address, signature, ...typedData } as Parameters<typeof verifyTypedData>[0]).catch(
        () => false,
      ),
    simulate: async ({ data }) => {
      const called = calledBy(data).slice(0, 10) as Hex
      const earlier = calls.get(called) ?? 0
      calls.set(called, earlier + 1)
      if (earlier % 5 === 0) return { outcome: 'ok', gas: 300_000n }
      return { outcome: 'reverted', revert: { errorName: 'WrongStatus', message: 'WrongStatus()', data: null } }
    },
  } satisfies Partial<typeof chain>)
}

/** The call that the forwarder relays, or the transfer itself. */
function calledBy(data: Hex): Hex {
  try {
    return decodeFunctionData({ abi: paymentForwarderAbi, data }).args?.at(-1) as Hex
  } catch {
    return data
  }
}

test.each(operations.flatMap((operation) => kinds.map((kind) => [operation.id, kind, operation] as const)))(
  '%s: %s requests are answered as the document says',
  async (_id, kind, operation) => {
    await fuzz.drive(operation, kind)
  },
)

const procedures = [
  ...Object.entries(queries).map(([name, { operationId }]) => ({ name, operationId, isQuery: true })),
  ...writes.map(({ operation, operationId }) => ({ name: operation as string, operationId, isQuery: false })),
]

/** In `npm test` one kind of each, in turn. */
const calls = procedures.flatMap((procedure, index) =>
  byDepth<readonly (typeof kinds)[number][]>(kinds.slice(index % 3, (index % 3) + 1), kinds).map(
    (kind) => [procedure.name, kind, procedure] as const,
  ),
)

test.each(calls)(
  'procedure %s: %s calls are answered as the document says of its operation',
  async (name, kind, { operationId, isQuery }) => {
    const operation = operations.find(({ id }) => id === operationId)
    if (operation === undefined) throw new Error(`the document has no ${operationId}`)
    await fuzz.driveProcedure({ name, operation, isQuery }, kind)
  },
)

test('every operation was driven as far as an answer that is no refusal', () => {
  const refusedOnly = operations.filter(({ id }) => !fuzz.reached.has(id))
  expect(refusedOnly.map(({ id }) => id)).toEqual([])
})

test('a refused request leaves nothing behind: no intent is more than reserved', async () => {
  const kept = new Set(['intent_in_flight', 'idempotency_key_reused'])
  const refused = fuzz.writes.filter(({ status, reason }) => status >= 400 && !kept.has(reason ?? ''))
  expect(refused.length).toBeGreaterThan(runs)
  const rows = await api.sql`
    select idempotency_key, operation, status from intents
    where idempotency_key in ${api.sql(refused.map(({ key }) => key))} and status <> 'reserved'`
  expect(rows).toEqual([])
})
