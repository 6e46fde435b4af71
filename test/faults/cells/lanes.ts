import { type Hex, hexToBigInt } from 'viem'
import { devRelayers } from '../../../scripts/stack/dev-accounts.ts'
import type { Cell, CellContext, Topology } from '../cell.ts'
import type { PreparedWrite } from '../client/operations.ts'
import {
  dropFromMempool,
  listWaiting,
  mine,
  setBaseFee,
  setGasMoney,
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

const rows: { name: string; short: Topology | null; isOutage?: true; run: (context: CellContext) => Promise<void> }[] =
  [
    { name: 'a base fee above what was signed', short: 1, run: stuck },
    { name: 'the mempool forgets what waits', short: null, run: forgotten },
    { name: 'somebody else uses the next nonces', short: null, run: usedBefore },
    { name: 'somebody else replaces what waits', short: null, run: replaced },
    { name: 'no gas money', short: 1, isOutage: true, run: withoutGasMoney },
  ]

/** Nonce lanes: what is stuck, forgotten, taken by others or cannot be paid for. */
export const cells: readonly Cell[] = rows.flatMap(({ name, short, isOutage, run }) =>
  topologies.map((topology) => ({
    ...{ name: `lanes: ${name}, ${describe(topology)}`, topology, short: short === topology },
    ...{ needsOwnWorld: true, deadlineMs: 90_000, run },
    ...(isOutage && { isOutage }),
  })),
)

/** Performs writes on a chain that mines nothing until `disturb` is done with what waits. */
async function performWaiting(
  context: CellContext,
  disturb: (waiting: readonly Hex[]) => Promise<void>,
): Promise<PreparedWrite[]> {
  const { anvil } = context.world
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
async function stuck(context: CellContext): Promise<void> {
  const { anvil } = context.world
  await performWaiting(context, async (waiting) => {
    const fees = await Promise.all(waiting.map((hash) => feeOf(context, hash)))
    // More than any of them, for some blocks to come.
    const together = fees.reduce((sum, fee) => sum + fee, 0n)
    await setBaseFee(anvil, together * 4n)
    await mine(anvil)
  })
}

async function feeOf({ world }: CellContext, hash: Hex): Promise<bigint> {
  const transaction = (await world.anvil.request('eth_getTransactionByHash', [hash])) as { maxFeePerGas: Hex }
  return hexToBigInt(transaction.maxFeePerGas)
}

async function forgotten(context: CellContext): Promise<void> {
  await performWaiting(context, async (waiting) => {
    for (const hash of waiting) await dropFromMempool(context.world.anvil, hash)
    context.note(`${waiting.length} transactions forgotten`)
  })
}

/** While nothing is on its way; the lanes learn of it by what they send next. */
async function usedBefore(context: CellContext): Promise<void> {
  const writes = await prepareMixed(context, 2)
  for (const { account } of devRelayers()) {
    for (let time = 0; time < 2; time += 1) {
      context.noteForeignTransaction(await useNonce(context.world.anvil, account))
    }
  }
  expectAll(await performAll(context, writes), 'completed')
}

/** Every lane's next nonce goes to a transaction that pays more. */
async function replaced(context: CellContext): Promise<void> {
  const { anvil } = context.world
  await performWaiting(context, async () => {
    for (const { account } of devRelayers()) {
      const nonce = Number(await anvil.request('eth_getTransactionCount', [account.address, 'latest']))
      const raw = await signForeign(account, { nonce })
      context.noteForeignTransaction((await anvil.request('eth_sendRawTransaction', [raw])) as Hex)
    }
    await mine(anvil)
  })
}

/** Nobody is charged while nobody can relay; whatever was taken on is done after the top-up. */
async function withoutGasMoney(context: CellContext): Promise<void> {
  const { anvil, sql } = context.world
  const writes = await prepareMixed(context, 2)
  const keys = writes.map(({ call }) => call.key)
  const before: [Hex, bigint][] = []
  const outcomes = await performThrough(context, writes, {
    inject: async () => {
      for (const { account } of devRelayers()) {
        before.push([account.address, await setGasMoney(anvil, account.address, 0n)])
      }
    },
    untilBroken: async () => {
      await context.until('every write to be refused or to wait', async () => {
        const { http } = context.world.log
        const refused = new Set(http.filter(({ status }) => status === 503).map(({ key }) => key))
        const taken = await sql<{ key: string }[]>`
          select idempotency_key as key from service.intents
          where idempotency_key in ${sql(keys)} and status in ('recorded', 'broadcast')`
        return keys.every((key) => refused.has(key) || taken.some((row) => row.key === key))
      })
      const { http } = context.world.log
      const refused = keys.filter((own) => http.some(({ key, status }) => key === own && status === 503))
      context.note(`${refused.length} of ${keys.length} refused before any payment`)
    },
    repair: async () => {
      for (const [address, wei] of before) await setGasMoney(anvil, address, wei)
    },
  })
  expectAll(outcomes, 'completed')
  await untilStatus(context, writes, ['completed'])
}
