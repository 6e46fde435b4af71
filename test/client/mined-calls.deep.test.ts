import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { mapWithLimit } from '../../api/concurrency/map-with-limit.ts'
import { type WriteName, writeNames } from '../../client/src/api/write-names.ts'
import { chooseValues } from '../../client/src/writes/choose-values.ts'
import { writes } from '../../client/src/writes/write-table.ts'
import type { EntryMode } from '../../protocol/relay.ts'
import { concurrentParts } from '../support/client/faulted/concurrent-parts.ts'
import { recipes } from '../support/client/faulted/faulted-writes.ts'
import { LATE_SECONDS, lateWrites } from '../support/client/faulted/late-writes.ts'
import { setProgramme } from '../support/client/faulted/payout-writes.ts'
import type { PreparedWrite, Recipe } from '../support/client/faulted/recipe.ts'
import { freeClaim, paidSubmissions } from '../support/client/faulted/workers-writes.ts'
import { makeWrite } from '../support/client/mined-call.ts'
import { recordRequests, recordSignatures } from '../support/client/recorded-requests.ts'
import { readOwnerCall } from '../support/client/signed-call.ts'
import { aClient } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { advanceTo } from '../support/scenarios/scenario.ts'

/** A write, and the function of the forwarder that its transaction calls; null: it calls the contract itself. */
interface Way {
  write: WriteName
  functionName: string | null
}

const AT_ONCE = 12
const environment = openEnvironment()

const functionNames = {
  paid: ['relayBound', 'relayPaid'],
  signed: ['relaySigned'],
  open: ['relayOpen'],
} as const satisfies {
  [Mode in EntryMode]: readonly string[]
}
const ways: readonly Way[] = writeNames.flatMap((write) => {
  const { modes } = writes[write].operation
  const names = modes?.flatMap((mode) => functionNames[mode]) ?? [null]
  return names.map((functionName) => ({ write, functionName }))
})

const payingRecipes: Record<WriteName, Recipe> = { ...recipes, ...paidSubmissions }
const freeRecipes: Record<WriteName, Recipe> = { ...recipes, createClaim: freeClaim }

beforeAll(() => setProgramme({ environment }, true))
afterAll(() => setProgramme({ environment }, false))

test('given any write in any of its modes, then its transaction has the call that the client showed or signed', async () => {
  const parts = concurrentParts(environment)
  const late: (() => Promise<void>)[] = []
  const compared = new Set<WriteName>()
  await mapWithLimit(AT_ONCE, [...ways.entries()], async ([seed, way]) => {
    const { write, functionName } = way
    const recipe = (functionName === 'relayBound' || functionName === 'relayPaid' ? payingRecipes : freeRecipes)[write]
    const prepared = await recipe({ ...parts, seed })
    const compare = async () => {
      await compareCalls(way, prepared)
      compared.add(write)
    }
    if (write in lateWrites) late.push(compare)
    else await compare()
  })
  await advanceTo(environment, (await environment.chain.headTime()) + LATE_SECONDS)
  await Promise.all(late.map((compare) => compare()))
  expect([...compared].sort()).toEqual([...writeNames].sort())
})

async function compareCalls(
  { write, functionName }: Way,
  { wallet, input: given, countDone }: PreparedWrite,
): Promise<void> {
  const { operation } = writes[write]
  const [{ account, signatures }, { fetch, requests }] = [recordSignatures(wallet.account), recordRequests()]
  const isPlain = functionName === 'relayPaid'
  const client = aClient(wallet, { account, fetch, ...(isPlain && { deployment: plainDeployment() }) })
  const input = { ...given, ...(await chooseValues(client.context, operation, { ...given })) }
  const preview = await client.preview(write, input as never)
  if (preview.kind !== 'preview') throw new Error(`${write}: ${JSON.stringify(preview)}`)
  // What a withdrawal is made of is known before it, and its signature when it is sent.
  const toOwnerCall = await readOwnerCall({ environment, wallet }, operation, input)
  const mined = await makeWrite({ client, environment }, write, input)
  if (toOwnerCall === null) {
    const { target, data } = preview.call ?? {}
    expect([write, preview.callProblem, preview.isActSimulated]).toEqual([write, null, true])
    expect([write, mined]).toEqual([write, { functionName, target, data }])
    return
  }
  const { body } = requests.at(-1) ?? {}
  const { target, data, message } = toOwnerCall({ ...body })
  expect([write, mined]).toEqual([write, { functionName, target, data }])
  expect(signatures).toContainEqual({ message, signature: body?.signature })
  expect([write, await countDone()]).toEqual([write, 1])
}

/** The deployment as a file of before bound payments has it. */
function plainDeployment() {
  const { bound: _, ...plain } = inject('conformanceStack').deployment
  return plain
}
