import { setTimeout as delay } from 'node:timers/promises'
import { createPublicClient, fallback, http } from 'viem'
import { isLocalNode } from '../../api/chain/is-local-node.ts'
import { checkSetting } from '../../settings/start-problems.ts'
import type { ExportSession } from './export-session.ts'
import { appendedTables, quoteName, type SourceTable } from './tables.ts'

/** Reads of the chain for an export. */
export interface ExportChain {
  /** Returns the height of the newest final block. */
  finalNumber(): Promise<bigint>
  /** Returns the block at an existing height. `timestamp` is Unix seconds. */
  block(number: bigint): Promise<{ hash: string; timestamp: bigint }>
}

/**
 * Opens the first node that answers. On a chain of this machine, whose blocks stay, every block is final.
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

/** The head of an export's snapshot, with the data for a later comparison with the final chain. */
export interface ExportedHead {
  number: bigint
  /** Unix seconds. */
  timestamp: bigint
  hash: string
  schemaVersion: string
  /** Height of the last final block at the snapshot. */
  finalNumber: bigint
  /** Hash of the events above `finalNumber`. */
  events: string
}

/**
 * Reads the head of the snapshot, and its hash from a node.
 * @throws while rows are incomplete, or if the node has another block at that height
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

/** An export whose rows must not be published; it is repeated. */
export class Outdated extends Error {}

const POLL_MS = 5_000

/** Waits until the head is final. @throws Outdated if another block is final at its height */
export async function untilFinal(
  chain: ExportChain,
  { number, hash }: Pick<ExportedHead, 'number' | 'hash'>,
  signal: AbortSignal,
): Promise<void> {
  while ((await chain.finalNumber()) < number) await delay(POLL_MS, undefined, { signal })
  if ((await chain.block(number)).hash !== hash) throw new Outdated(`block ${number} was replaced`)
}

/**
 * Compares the events up to the final head with those of the snapshot. When the hash was read, the indexer may have been on
 * another chain than the node.
 * @throws Outdated if they differ
 */
export async function requireSameEvents(
  session: Pick<ExportSession, 'run'>,
  head: ExportedHead,
  tables: readonly SourceTable[],
): Promise<void> {
  if ((await digestEvents(session, tables, head)) === head.events) return
  throw new Outdated(`events up to block ${head.number} were replaced`)
}

/** Returns a digest of the events in the blocks that were not final. */
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
