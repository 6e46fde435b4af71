import { putScriptedWallet } from '../../support/scripted-contracts.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { jumpTime } from '../inject/chain.ts'
import { slowSignatureChecks, slowSimulations } from '../inject/slow-simulations.ts'
import { describe, expectAll, performAll, prepareMixed, topologies } from '../inject/steps.ts'

const SLOW = 24
const SLOWNESS_MS = 8_000
const MOST_SLOWDOWN = 3
/** Longer than any authorization of the clients is valid. */
const VALIDITY_SECONDS = 700
const settings = { FOREIGN_WEI_PER_DAY: String(10n ** 19n) }

/** Contract wallets with slow simulations of their bound writes, or with slow signature checks before the bind. */
export const faultCases: readonly FaultCase[] = topologies.flatMap((topology) => [
  {
    name: `slow wallets: ${SLOW} of ${SLOWNESS_MS / 1000} s each, ${describe(topology)}`,
    topology,
    short: false,
    needsOwnEnvironment: true,
    settings,
    run,
  },
  {
    name: `slow signature checks: ${SLOW} of ${SLOWNESS_MS / 1000} s each, ${describe(topology)}`,
    topology,
    // A check that does not end leaves only its own request without an answer.
    short: false,
    isOutage: true,
    needsOwnEnvironment: true,
    settings,
    run: runRequests,
  },
])

/** Plain writes complete while every slow one waits; these fail when their authorizations have expired. */
async function run(context: FaultCaseContext): Promise<void> {
  const slow = await prepareSlow(context)
  const accounts = slow.map(({ account }) => account.address)
  // One rule for all: one process may relay what the other admitted.
  const rule = slowSimulations(accounts, SLOWNESS_MS)
  for (const { rpc } of context.replicas) rpc.inject(rule)
  const attacked = performAll(context, slow)
  await context.until('every slow write to be bound', async () => (await countWaiting(context)) === SLOW)
  for (let round = 0; round < 2; round += 1) {
    expectAll(await performAll(context, await prepareMixed(context, 1)), 'completed')
  }
  const waiting = await countWaiting(context)
  if (waiting < SLOW) throw new Error(`only ${waiting} of ${SLOW} slow writes waited while plain ones were relayed`)
  await jumpTime(context.environment.anvil, VALIDITY_SECONDS)
  expectAll(await attacked, 'failed')
}

/** Creates whose payers are new contract wallets, which admit every signature. */
async function prepareSlow(context: FaultCaseContext): Promise<PreparedWrite[]> {
  const writes = await context.prepare('create', SLOW)
  for (const { account } of writes) await putScriptedWallet(context.environment.anvil, account.address)
  return writes.map((write) => ({ ...write, isForeign: true }))
}

async function countWaiting({ environment }: FaultCaseContext): Promise<number> {
  const [row] = await environment.sql<{ count: number }[]>`
    select count(*)::int as count from service.intents where status = 'recorded' and relay_class = 'foreign'`
  return row?.count ?? 0
}

/** Requests of plain writes take no longer while those of slow wallets wait; these complete once their wallets answer. */
async function runRequests(context: FaultCaseContext): Promise<void> {
  const { signTypedData } = await context.wallet(0n)
  // Signed by another key, so that the service has to ask the wallet, which admits every signature.
  const slow = (await prepareSlow(context)).map((write) => ({
    ...write,
    account: { ...write.account, signTypedData },
  }))
  const rule = slowSignatureChecks(
    slow.map(({ account }) => account.address),
    SLOWNESS_MS,
  )
  await timePlain(context) // The first run in a process is slower.
  const quietMs = await timePlain(context)
  const injected = context.replicas.map(({ rpc }) => rpc.inject(rule))
  const hits = () => injected.reduce((sum, { hits }) => sum + hits(), 0)
  const attacked = performAll(context, slow)
  await context.until('every slow wallet to be asked', async () => hits() >= SLOW)
  const attackedMs = await timePlain(context)
  if (attackedMs > MOST_SLOWDOWN * quietMs) {
    throw new Error(`plain writes took ${Math.round(attackedMs)} ms, ${Math.round(quietMs)} ms without the attack`)
  }
  const waiting = await countWaiting(context)
  if (waiting > 0) throw new Error(`${waiting} slow wallets were done with their checks while plain writes went on`)
  for (const { remove } of injected) remove()
  expectAll(await attacked, 'completed')
}

/** Performs a write of each class, all at once. @returns milliseconds until the last one is completed */
async function timePlain(context: FaultCaseContext): Promise<number> {
  const writes = await prepareMixed(context, 1)
  const startedAt = performance.now()
  expectAll(await performAll(context, writes), 'completed')
  return performance.now() - startedAt
}
