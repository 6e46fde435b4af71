import { setTimeout as delay } from 'node:timers/promises'
import { createPublicClient, fallback, http } from 'viem'
import { isLocalNode } from '../../api/chain/is-local-node.ts'
import { checkSetting } from '../../settings/start-problems.ts'
import type { ExportSession } from './export-session.ts'
import { appendedTables, quoteName, type SourceTable } from './tables.ts'

/** The read methods that an export uses on the chain. */
export interface ExportChain {
  /** Returns the height of the latest final block. */
  finalNumber(): Promise<bigint>
  /** Returns the block at an existing height. `timestamp` is Unix seconds. */
  block(number: bigint): Promise<{ hash: string; timestamp: bigint }>
}

/**
 * Opens the first node that answers. On a local development chain every block counts as final, because the chain has no
 * reorgs.
 * @throws SettingsError if no node answers
 */
export async function openExportChain(rpcUrls: readonly string[]): Promise<ExportChain> {
  const client = createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url, { timeout: 10_000 }))) })
  await checkSetting('RPC_URL', () => client.getBlockNumber())
  const blockTag = (await isLocalNode(rpcUrls[0])) ? 'latest' : 'finalized'
  return {
    finalNumber: async () => (await client.getBlock({ blockTag })).number,
    block: async (blockNumber) => {
      const { hash, timestamp } = await client.getBlock({ blockNumber })
      return { hash, timestamp }
    },
  }
}

/** The latest block in an export's snapshot. The block's hash shows later whether the block became final. */
export interface ExportedHead {
  number: bigint
  /** The time of the block, in Unix seconds. */
  timestamp: bigint
  hash: string
  schemaVersion: string
  /** Height of the latest final block at the time of the snapshot. */
  finalNumber: bigint
  /** Digest of the events in the blocks above `finalNumber`. */
  events: string
}

/**
 * Reads the latest block of the snapshot from the database, and its hash from a node.
 * @throws Error if no block was indexed yet, or if the indexer has not yet written all rows
 * @throws Outdated if the node has another block at that height
 */
export async function readExportedHead(
  session: Pick<ExportSession, 'run'>,
  chain: ExportChain,
  tables: readonly SourceTable[],
): Promise<ExportedHead> {
  const { rows } = await session.run(`
    SELECT block_number, block_timestamp, schema_version, ready AND recovers_to IS NULL FROM market.indexed_head`)
  const [number, timestamp, schemaVersion, isComplete] = rows[0] ?? []
  if (number == null || timestamp == null || schemaVersion == null) throw new Error('nothing was indexed yet')
  if (isComplete !== 't') throw new Error('the rows are not complete: the indexer fills them again')
  const head = { number: BigInt(number), timestamp: BigInt(timestamp), schemaVersion }
  const block = await chain.block(head.number)
  if (block.timestamp !== head.timestamp) throw new Outdated(`block ${number} was replaced`)
  const finalNumber = await chain.finalNumber()
  return {
    ...head,
    hash: block.hash,
    finalNumber,
    events: await digestEvents(session, tables, { ...head, finalNumber }),
  }
}

/**
 * Thrown when an export must not be published, for example after a reorg of the export's block. The export is then
 * repeated.
 */
export class Outdated extends Error {}

const POLL_MS = 5_000

/**
 * Waits until the export's block is final.
 * @throws Outdated if another block became final at the same height
 */
export async function untilFinal(
  chain: ExportChain,
  { number, hash }: Pick<ExportedHead, 'number' | 'hash'>,
  signal: AbortSignal,
): Promise<void> {
  while ((await chain.finalNumber()) < number) await delay(POLL_MS, undefined, { signal })
  if ((await chain.block(number)).hash !== hash) throw new Outdated(`block ${number} was replaced`)
}

/**
 * Checks that the database still has the same events as the export's snapshot, in the blocks that were not final at the
 * time of the snapshot. The rows of the snapshot come from the indexer, and the hash of the snapshot's latest block
 * comes from a node. If the indexer and the node followed different forks at that time, the hash does not belong to the
 * rows.
 * @throws Outdated if the events differ
 */
export async function requireSameEvents(
  session: Pick<ExportSession, 'run'>,
  head: ExportedHead,
  tables: readonly SourceTable[],
): Promise<void> {
  if ((await digestEvents(session, tables, head)) === head.events) return
  throw new Outdated(`events up to block ${head.number} were replaced`)
}

/**
 * Returns a digest of the events in the blocks after `finalNumber`, up to and including the export's block `number`.
 * Returns an empty text if there are no such blocks.
 */
async function digestEvents(
  { run }: Pick<ExportSession, 'run'>,
  tables: readonly SourceTable[],
  { finalNumber, number }: Pick<ExportedHead, 'finalNumber' | 'number'>,
): Promise<string> {
  if (finalNumber >= number) return ''
  const place = ['block_number', 'transaction_hash', 'log_index']
  const sources = tables.filter(
    ({ schema, name, columns }) =>
      appendedTables[`${schema}.${name}`] !== undefined &&
      place.every((column) => columns.some((each) => each.name === column)),
  )
  const digests = sources.map(
    ({ schema, name }) => `
      SELECT md5(string_agg(concat_ws(':', ${place.join(', ')}), ',' ORDER BY block_number, log_index)) AS digest
      FROM ${quoteName(schema, name)} WHERE block_number > ${finalNumber} AND block_number <= ${number}`,
  )
  const { rows } = await run(digests.join(' UNION ALL '))
  return rows.map(([digest]) => digest ?? '').join(',')
}
