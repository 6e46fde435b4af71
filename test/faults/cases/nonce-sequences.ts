import { type Hex, hexToBigInt } from 'viem'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { Replica } from '../environment/replica.ts'
import type { FaultCase, FaultContext, Topology } from '../fault-case.ts'
import {
  dropFromMempool,
  listWaiting,
  mine,
  setBalance,
  setBaseFee,
  setMining,
  signForeign,
  useNonce,
} from '../inject/chain.ts'
import {
  describe,
  expectAll,
  performAll,
  performThrough,
  prepareMixed,
  topologies,
  untilStatus,
} from '../inject/steps.ts'

const rows: { name: string; short: Topology | null; isOutage?: true; run: (context: FaultContext) => Promise<void> }[] =
  [
    { name: 'a base fee above what was signed', short: 1, run: stuck },
    { name: 'the mempool forgets what waits', short: null, run: forgotten },
    { name: 'another party uses the next nonces', short: null, run: usedBefore },
    { name: 'another party replaces what waits', short: null, run: replaced },
    { name: 'no balance', short: 1, isOutage: true, run: withoutBalance },
  ]

/** Nonce sequences: what is stuck, forgotten, taken by others or cannot be paid for. */
export const faultCases: readonly FaultCase[] = rows.flatMap(({ name, short, isOutage, run }) =>
  topologies.map((topology) => ({
    name: `nonce sequences: ${name}, ${describe(topology)}`,
    topology,
    short: short === topology,
    needsOwnEnvironment: true,
    deadlineMs: 90_000,
    run,
    ...(isOutage && { isOutage }),
  })),
)

/** Performs writes on a chain that mines nothing until `disturb` is done with what waits. */
async function performWaiting(
  context: FaultContext,
  disturb: (waiting: readonly Hex[]) => Promise<void>,
): Promise<PreparedWrite[]> {
  const { anvil } = context.environment
  const writes = await prepareMixed(context, 2)
  const outcomes = await performThrough(context, writes, {
    inject: () => setMining(anvil, false),
    untilBroken: async () => {
      await context.until('every write to wait in the mempool', async () => {
        return (await listWaiting(anvil)).length >= writes.length
      })
      await disturb(await listWaiting(anvil))
    },
    repair: () => setMining(anvil, true),
  })
  expectAll(outcomes, 'completed')
  return writes
}

/** Too cheap for the block that comes, and for those after it. */
async function stuck(context: FaultContext): Promise<void> {
  const { anvil } = context.environment
  await performWaiting(context, async (waiting) => {
    const fees = await Promise.all(waiting.map((hash) => feeOf(context, hash)))
    // More than any of them, for some blocks to come.
    const together = fees.reduce((sum, fee) => sum + fee, 0n)
    await setBaseFee(anvil, together * 4n)
    await mine(anvil)
  })
}

async function feeOf({ environment }: FaultContext, hash: Hex): Promise<bigint> {
  const transaction = (await environment.anvil.request('eth_getTransactionByHash', [hash])) as { maxFeePerGas: Hex }
  return hexToBigInt(transaction.maxFeePerGas)
}

async function forgotten(context: FaultContext): Promise<void> {
  await performWaiting(context, async (waiting) => {
    for (const hash of waiting) await dropFromMempool(context.environment.anvil, hash)
    context.note(`${waiting.length} transactions forgotten`)
  })
}

/** While nothing is on its way; the nonce sequences learn of it by what they send next. */
async function usedBefore(context: FaultContext): Promise<void> {
  const writes = await prepareMixed(context, 2)
  for (const { account } of devRelayers()) {
    for (let time = 0; time < 2; time += 1) {
      context.noteForeignTransaction(await useNonce(context.environment.anvil, account))
    }
  }
  expectAll(await performAll(context, writes), 'completed')
}

/** Every nonce sequence's next nonce goes to a transaction that pays more. */
async function replaced(context: FaultContext): Promise<void> {
  const { anvil } = context.environment
  await performWaiting(context, async () => {
    for (const { account } of devRelayers()) {
      const nonce = Number(await anvil.request('eth_getTransactionCount', [account.address, 'latest']))
      const raw = await signForeign(account, { nonce })
      context.noteForeignTransaction((await anvil.request('eth_sendRawTransaction', [raw])) as Hex)
    }
    await mine(anvil)
  })
}

/** No payer is charged while no relayer can pay gas; what was accepted before is done after the top-up. */
async function withoutBalance(context: FaultContext): Promise<void> {
  const { anvil, log } = context.environment
  const [first, second] = [await prepareMixed(context, 1), await prepareMixed(context, 1)]
  const before: [Hex, bigint][] = []
  for (const { account } of devRelayers()) {
    before.push([account.address, await setBalance(anvil, account.address, 0n)])
  }
  // Some are taken before a process knows: they wait.
  const early = first.map((write) => context.perform(write))
  await context.until('every process to know', async () =>
    (await Promise.all(context.replicas.map(isPoor))).every(Boolean),
  )
  const outcomes = await performThrough(context, second, {
    inject: () => {},
    untilBroken: async () => {
      const answersOf = ({ call }: PreparedWrite) => log.http.filter(({ key }) => key === call.key)
      await context.until('every write to be refused', () =>
        second.every((write) => answersOf(write).some(({ status }) => status === 503)),
      )
      const others = second.flatMap(answersOf).filter(({ status }) => status !== null && status !== 503)
      if (others.length > 0) throw new Error(`asked to pay, or taken, without a balance: ${JSON.stringify(others)}`)
      context.note(`${second.length} refused before any payment`)
    },
    repair: async () => {
      for (const [address, wei] of before) await setBalance(anvil, address, wei)
    },
  })
  expectAll([...(await Promise.all(early)), ...outcomes], 'completed')
  await untilStatus(context, [...first, ...second], ['completed'])
}

/** Whether a process says of itself that its relayers cannot pay. */
async function isPoor({ url }: Replica): Promise<boolean> {
  const response = await fetch(`${url}/ready`)
  const { checks } = (await response.json()) as { checks: { relayers?: { poor?: string[] } } }
  return checks.relayers?.poor !== undefined
}
