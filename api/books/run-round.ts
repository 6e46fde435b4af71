import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { Database } from '../db/client.ts'
import type { BookSum, ComparedBlock, Difference } from '../read-model/books.queries.ts'
import type { IndexedBlock } from './indexed-block.queries.ts'

/** The parts of the process that a comparison uses. */
export interface BooksDeps {
  sql: Database
  chain: Chain
  deployment: Deployment
  log: { warn(facts: object, message: string): void }
}

/** The result of one comparison: differing figures, and incompletely read ones. */
export interface Compared {
  differences: Difference[]
  unread: Pick<Difference, 'sum' | 'of'>[]
}

/** The pause after a round that could not read its block, milliseconds. */
export const RETRY_MS = 2_000
/** The interval at which a loop checks if a part of another process is due, milliseconds. */
export const POLL_MS = 5_000
/** The longest pause of a loop, milliseconds: its runs are counted. */
export const LONGEST_PAUSE_MS = 15_000
/** The pause after a new finding, so that the next round confirms it soon, milliseconds. */
export const CONFIRM_MS = 5_000
/** The most named differences, which are compared first again. */
export const MAX_NAMED = 25

/**
 * Returns the node's block of the rows; null: rows are missing, or the node lacks the block (yet). That says nothing
 * about the rows: the next round tries again.
 */
export async function findComparedBlock(
  { chain }: Pick<BooksDeps, 'chain'>,
  indexed: IndexedBlock | null,
): Promise<ComparedBlock | null> {
  if (indexed === null || !indexed.ready) return null
  const { blockNumber: number, blockTimestamp: timestamp } = indexed
  const hash = await chain.blockHash(number)
  return hash === null ? null : { number, timestamp, hash }
}

/** Runs `work`; returns null when the node did not answer, or not for that block. */
export async function unlessUnavailable<Result>(work: () => Promise<Result | null>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnavailable) return null
    throw error
  }
}

/**
 * Keeps the differences of two successive rounds. Rows may be of a block that a reorg has just replaced at the same
 * height, which no row shows: the indexer writes others before the next round.
 */
export function confirm(
  { differences: current, unread }: Compared,
  before: { differences: Difference[]; suspects: Difference[] } | null,
): { differences: Difference[]; suspects: Difference[] } {
  const { differences = [], suspects = [] } = before ?? {}
  const earlierKeys = new Set([...differences, ...suspects].map(keyOf))
  // Unread figures keep their last result.
  const unreadKeys = new Set(unread.map(keyOf))
  const isUnread = (difference: Difference) => unreadKeys.has(keyOf(difference))
  const readDifferences = current.filter((difference) => !isUnread(difference))
  return {
    differences: [
      ...differences.filter(isUnread),
      ...readDifferences.filter((difference) => earlierKeys.has(keyOf(difference))),
    ].slice(0, MAX_NAMED),
    suspects: [
      ...suspects.filter(isUnread),
      ...readDifferences.filter((difference) => !earlierKeys.has(keyOf(difference))),
    ].slice(0, MAX_NAMED),
  }
}

/** Counts the unread figures of each sum. */
export function countUnread(unread: Compared['unread']): Partial<Record<BookSum, number>> {
  const counts: Partial<Record<BookSum, number>> = {}
  for (const { sum } of unread) counts[sum] = (counts[sum] ?? 0) + 1
  return counts
}

/** Lists the accounts of a sum that differed in the last round; they are compared first. */
export function foundBefore(
  before: { differences: Difference[]; suspects: Difference[] } | null,
  sum: Difference['sum'],
): string[] {
  const earlier = [...(before?.differences ?? []), ...(before?.suspects ?? [])]
  return earlier.flatMap((difference) => (difference.sum === sum && difference.of !== null ? [difference.of] : []))
}

/** Logs newly confirmed differences. */
export function logNew(
  { log }: Pick<BooksDeps, 'log'>,
  differences: readonly Difference[],
  before: { differences: Difference[] } | null,
): void {
  const earlierKeys = new Set(before?.differences.map(keyOf))
  for (const difference of differences) {
    if (!earlierKeys.has(keyOf(difference))) log.warn({ ...difference }, 'rows and contracts differ')
  }
}

function keyOf({ sum, of }: Pick<Difference, 'sum' | 'of'>): string {
  return `${sum} ${of}`
}
