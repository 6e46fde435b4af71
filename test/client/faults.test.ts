import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Client, createClient } from '../../client/src/create-client.ts'
import { fileStore } from '../../client/src/store/file-store.ts'
import type { Outcome } from '../../client/src/writes/outcome.ts'
import { createRandom } from '../chain/indexer/random.ts'
import { aWalletDirectory } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'
import { byDepth } from '../support/depth.ts'
import { concurrentParts } from './faulted/concurrent-parts.ts'
import { actions, boundaries, type FaultPlan, planFaults } from './faulted/fault-plan.ts'
import { startFaultProxy } from './faulted/fault-proxy.ts'
import { aFaultedWrite, promptNames } from './faulted/faulted-writes.ts'
import { setProgramme } from './faulted/payout-writes.ts'
import type { FaultedWrite } from './faulted/recipe.ts'

const environment = openEnvironment()
const parts = concurrentParts(environment)
const { CLIENT_RUNS, CLIENT_SEED } = process.env
/** Each kind of write once, or 2,000. */
const runs = Number(CLIENT_RUNS ?? byDepth(promptNames.length, 2_000))
/** Of the short version: where so many runs in a row have the most different faults. */
const firstSeed = Number(CLIENT_SEED ?? byDepth(6_436, 1))
const seeds = Array.from({ length: runs }, (_, run) => firstSeed + run)
const AT_ONCE = byDepth(8, 16)
/** Shorter than the longest delay of the proxy, so that requests arrive after their caller has left them. */
const timing = { requestMs: 2_500, waitMs: 6_000, pauseMs: 50, maxPauseMs: 300 }

/** `first`: what the caller was told while exchanges broke; `last`: by the same call afterwards. */
interface Result {
  seed: number
  plan: FaultPlan
  task: FaultedWrite
  /** The wallet's balance before it, base units. */
  balance: bigint
  first: Outcome<unknown>
  last: Outcome<unknown>
}

beforeAll(() => setProgramme({ environment }, true))
afterAll(() => setProgramme({ environment }, false))

test(
  `given exchanges that are cut, held back and copied (${runs} runs), then no write is paid twice or reported wrong`,
  async () => {
    const results: Result[] = []
    const queue = [...seeds]
    const next = async () => {
      for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) results.push(await runSeed(seed))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    // Only now has everything arrived that was held back: what was refused must not have happened after all.
    const wrong = (await Promise.all(results.map(judge))).filter((problem) => problem !== null)
    expect(wrong).toEqual([])
    console.log(`outcomes while exchanges broke: ${JSON.stringify(countBy(results, ({ first }) => first.kind))}`)
    console.log(`writes: ${JSON.stringify(countBy(results, ({ task }) => task.write))}`)
    expect(results).toHaveLength(runs)
  },
  byDepth(240_000, 5_400_000),
)

test.runIf(CLIENT_RUNS === undefined && CLIENT_SEED === undefined)(
  'given the usual runs, then every action and every boundary is among their faults, in both directions',
  () => {
    const faults = seeds.flatMap((seed) => [...planFaults(createRandom(seed)).values()])
    const found = new Set(
      faults.flatMap(({ action, boundary, direction }) =>
        [action, boundary].map((what) => `${what} of a ${direction}`),
      ),
    )
    const wanted = [...actions, ...boundaries].flatMap((what) => [`${what} of a request`, `${what} of a response`])
    expect(wanted.filter((what) => !found.has(what))).toEqual([])
  },
)

async function runSeed(seed: number): Promise<Result> {
  const { baseUrl, deployment, rpcUrl } = inject('conformanceStack')
  const random = createRandom(seed)
  const task = await aFaultedWrite({ ...parts, seed })
  const balance = await environment.chain.balanceOf(task.wallet.address)
  const plan = planFaults(random)
  const proxy = await startFaultProxy(baseUrl, plan)
  const client = createClient({
    url: baseUrl,
    account: task.wallet.account,
    deployment,
    rpcUrl,
    store: fileStore({ directory: aWalletDirectory() }),
    timing,
    onWarning: () => {},
    // The read identity names the service's own host; the bytes go through the proxy.
    fetch: (input, init) => fetch(String(input).replace(baseUrl, proxy.url), init),
  })
  const first = await client.write(task.write, task.input as never)
  proxy.mend()
  const last = first.kind === 'completed' ? first : await continueWrite(client, task, first)
  await proxy.stop()
  return { seed, plan, task, balance, first, last }
}

/**
 * Makes a call again, as a caller does that does not know the outcome. A request that arrived damaged is refused, and its
 * payment with escrow keeps others back until it ends: the call is then made under the key that the refusal leaves usable.
 */
async function continueWrite(client: Client, task: FaultedWrite, first: Outcome<unknown>): Promise<Outcome<unknown>> {
  const waitMs = 30_000
  const again = await client.write(task.write, task.input as never, { waitMs })
  if (again.kind !== 'unknown' || first.kind !== 'refused' || !first.isKeyUsable || first.key === null) return again
  return await client.write(task.write, task.input as never, { waitMs, key: first.key })
}

async function judge({ seed, plan, task, balance, first, last }: Result): Promise<string | null> {
  const done = await task.countDone()
  const paid = balance - (await environment.chain.balanceOf(task.wallet.address))
  const story = JSON.stringify(
    { seed, write: task.write, plan: [...plan], first, last, done, paid: String(paid) },
    (_, value) => (typeof value === 'bigint' ? value.toString() : value),
  )
  if (done > 1) return `done twice: ${story}`
  if (paid !== BigInt(done) * task.cost) return `paid twice, or for nothing, or done for nothing: ${story}`
  if (last.kind !== 'completed') return `not done though nothing was broken any more: ${story}`
  return done === 1 ? null : `reported as done: ${story}`
}

function countBy(results: readonly Result[], nameOf: (result: Result) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of results.map(nameOf)) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
