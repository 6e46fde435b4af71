import { type Hex, hexToBigInt, keccak256 } from 'viem'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import type { FaultCase, FaultCaseContext, Topology } from '../fault-case.ts'
import { reorganize, signForeign } from '../inject/chain.ts'
import { describe, expectAll, topologies } from '../inject/steps.ts'

/** Content of the replacing blocks. */
const kinds = [
  ['nothing of it', 'nothing'],
  ['the same in another block', 'same'],
  ['a conflicting transaction', 'conflicting'],
] as const
type Kind = (typeof kinds)[number][1]

/** The newest blocks are replaced after writes in them were answered. */
export const faultCases: readonly FaultCase[] = [1, 2, 3].flatMap((depth) =>
  kinds.flatMap(([title, kind]) =>
    topologies.map((topology: Topology) => ({
      name: `reorg of ${depth}: ${title}, ${describe(topology)}`,
      topology,
      needsOwnEnvironment: true,
      short: false,
      deadlineMs: 90_000,
      run: (context: FaultCaseContext) => undo(context, { depth, kind }),
    })),
  ),
)

async function undo(context: FaultCaseContext, { depth, kind }: { depth: number; kind: Kind }): Promise<void> {
  const { anvil, client } = context.environment
  const writes = await context.prepare('create', depth + 1)
  // In sequence: each has its own block, and the last ones are replaced.
  for (const write of writes) expectAll([await context.perform(write)], 'completed')
  const newest = await newestRelays(context, depth)
  const before = await Promise.all(newest.map(({ hash }) => client.getTransactionReceipt({ hash })))
  await reorganize(anvil, { depth, transactions: kind === 'conflicting' ? [await conflict(context, newest)] : kind })
  const undoneAt = performance.now()
  await context.until(
    'every write to be on chain again, and its intent to name it',
    () => areBack(context, before),
    45_000,
  )
  context.noteRecovery(performance.now() - undoneAt)
}

interface Relay {
  hash: Hex
  from: Hex
  nonce: number
}

/** The transactions of the newest blocks; each must be a relay. */
async function newestRelays({ environment }: FaultCaseContext, depth: number): Promise<Relay[]> {
  const head = await environment.client.getBlockNumber()
  const relays: Relay[] = []
  for (let height = head - BigInt(depth) + 1n; height <= head; height += 1n) {
    const { transactions } = await environment.client.getBlock({ blockNumber: height, includeTransactions: true })
    for (const { hash, from, to, nonce } of transactions) {
      if (to?.toLowerCase() !== environment.deployment.forwarder) throw new Error(`block ${height} has no relay`)
      relays.push({ hash, from, nonce })
    }
  }
  return relays
}

/** Signs another transaction with the nonce of the last relay. */
async function conflict(context: FaultCaseContext, relays: readonly Relay[]): Promise<Hex> {
  const last = lowestOfLastSequence(relays)
  const relayer = devRelayers().find(({ account }) => account.address.toLowerCase() === last.from.toLowerCase())
  if (relayer === undefined) throw new Error(`${last.from} is no relayer`)
  const raw = await signForeign(relayer.account, { nonce: last.nonce })
  context.noteForeignTransaction(keccak256(raw))
  return raw
}

/** The first removed transaction of the relayer that relayed last: the one whose nonce is next after the reorg. */
function lowestOfLastSequence(relays: readonly Relay[]): Relay {
  const last = relays.at(-1)
  const nonceSequence = relays.filter(({ from }) => from === last?.from).sort((a, b) => a.nonce - b.nonce)
  if (nonceSequence[0] === undefined) throw new Error('no block was undone')
  return nonceSequence[0]
}

/** Whether the replaced blocks are gone, and every intent names a transaction of the canonical chain. */
async function areBack(
  { environment }: FaultCaseContext,
  before: readonly { blockHash: Hex; blockNumber: bigint }[],
): Promise<boolean> {
  const rows = await environment.sql<
    { status: string; hash: Hex | null; block: string | null; blockHash: Hex | null }[]
  >`
    select status, tx_hash as hash, block_number as block, block_hash as "blockHash" from service.intents
    where status <> 'reserved'`
  for (const { status, hash, block, blockHash } of rows) {
    if (status !== 'completed' || hash === null || block === null) return false
    if (before.some((receipt) => receipt.blockHash === blockHash)) return false
    const receipt = (await environment.anvil.request('eth_getTransactionReceipt', [hash])) as {
      blockHash: Hex
      blockNumber: Hex
    } | null
    if (receipt?.blockHash !== blockHash || hexToBigInt(receipt.blockNumber) !== BigInt(block)) return false
  }
  return true
}
