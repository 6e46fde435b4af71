import { type Hex, hexToBigInt } from 'viem'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { Replica } from '../environment/replica.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import {
  dropFromMempool,
  listWaiting,
  mine,
  setBaseFee,
  setMining,
  setRelayerBalance,
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

const rows: {
  name: string
  isOutage?: true
  run: (context: FaultCaseContext) => Promise<void>
}[] = [
  { name: 'a base fee above what was signed', run: stuck },
  { name: 'the mempool drops pending transactions', run: dropped },
  { name: 'another sender uses the next nonces', run: usedBefore },
  { name: 'another sender replaces pending transactions', run: replaced },
  { name: 'no relayer balance', isOutage: true, run: withoutRelayerBalance },
]

/** Transactions of a nonce sequence that are underpriced, dropped, replaced, or that the relayer cannot pay for. */
export const faultCases: readonly FaultCase[] = rows.flatMap(({ name, isOutage, run }) =>
  topologies.map((topology) => ({
    name: `nonce sequences: ${name}, ${describe(topology)}`,
    topology,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 90_000,
    run,
    ...(isOutage && { isOutage }),
  })),
)

/** Performs writes on a chain that mines nothing until `disturb` has handled the pending transactions. */
async function performWaiting(
  context: FaultCaseContext,
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

/** The signed fees are below the base fee of the next block and of some blocks after it. */
async function stuck(context: FaultCaseContext): Promise<void> {
  const { anvil } = context.environment
  await performWaiting(context, async (waiting) => {
    const fees = await Promise.all(waiting.map((hash) => feeOf(context, hash)))
    // Above each of them, for several blocks.
    const together = fees.reduce((sum, fee) => sum + fee, 0n)
    await setBaseFee(anvil, together * 4n)
    await mine(anvil)
  })
}

async function feeOf({ environment }: FaultCaseContext, hash: Hex): Promise<bigint> {
  const transaction = (await environment.anvil.request('eth_getTransactionByHash', [hash])) as { maxFeePerGas: Hex }
  return hexToBigInt(transaction.maxFeePerGas)
}

async function dropped(context: FaultCaseContext): Promise<void> {
  await performWaiting(context, async (waiting) => {
    for (const hash of waiting) await dropFromMempool(context.environment.anvil, hash)
    context.note(`${waiting.length} transactions dropped`)
  })
}

/** No transaction is pending; the relayers find the used nonces with their next send. */
async function usedBefore(context: FaultCaseContext): Promise<void> {
  const writes = await prepareMixed(context, 2)
  for (const { account } of devRelayers()) {
    for (let time = 0; time < 2; time += 1) {
      context.noteForeignTransaction(await useNonce(context.environment.anvil, account))
    }
  }
  expectAll(await performAll(context, writes), 'completed')
}

/** The next nonce of every sequence goes to a transaction with a higher fee. */
async function replaced(context: FaultCaseContext): Promise<void> {
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

/** No wallet is charged while no relayer can pay for gas; accepted writes complete after the top-up. */
async function withoutRelayerBalance(context: FaultCaseContext): Promise<void> {
  const { anvil, log } = context.environment
  const [first, second] = [await prepareMixed(context, 1), await prepareMixed(context, 1)]
  const before: [Hex, bigint][] = []
  for (const { account } of devRelayers()) {
    before.push([account.address, await setRelayerBalance(anvil, account.address, 0n)])
  }
  // A process that has not read the balance yet accepts these; they wait.
  const early = first.map((write) => context.perform(write))
  await context.until('every process to report it', async () =>
    (await Promise.all(context.replicas.map(isUnderfunded))).every(Boolean),
  )
  const outcomes = await performThrough(context, second, {
    inject: () => {},
    untilBroken: async () => {
      const answersOf = ({ call }: PreparedWrite) => log.http.filter(({ key }) => key === call.key)
      await context.until('every write to be refused', () =>
        second.every((write) => answersOf(write).some(({ status }) => status === 503)),
      )
      const others = second.flatMap(answersOf).filter(({ status }) => status !== null && status !== 503)
      if (others.length > 0)
        throw new Error(`challenged or accepted without relayer balance: ${JSON.stringify(others)}`)
      context.note(`${second.length} refused before any payment`)
    },
    repair: async () => {
      for (const [address, wei] of before) await setRelayerBalance(anvil, address, wei)
    },
  })
  expectAll([...(await Promise.all(early)), ...outcomes], 'completed')
  await untilStatus(context, [...first, ...second], ['completed'])
}

/** Whether the readiness of a process reports underfunded relayers. */
async function isUnderfunded({ url }: Replica): Promise<boolean> {
  const response = await fetch(`${url}/ready`)
  const { checks } = (await response.json()) as { checks: { relayers?: { poor?: string[] } } }
  return checks.relayers?.poor !== undefined
}
