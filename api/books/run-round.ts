import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { Database } from '../db/client.ts'
import type { BookSum, ComparedBlock, Difference } from '../read-model/books.queries.ts'
import type { IndexedBlock } from './indexed-block.queries.ts'

/** Parts of the process that a comparison uses. */
export interface BooksDeps {
  sql: Database
  chain: Chain
  deployment: Deployment
  log: { warn(facts: object, message: string): void }
}

/** Findings of one look: figures that differ, and those that were not read in whole. */
export interface Compared {
  differences: Difference[]
  unread: Pick<Difference, 'sum' | 'of'>[]
}

/** Interval of a loop's checks that its part is due, milliseconds. */
export const POLL_MS = 2_000
/** Pause after a round that found something new, so that the next one decides soon, milliseconds. */
export const CONFIRM_MS = 5_000
/** Differences that are named, and looked at again first. */
export const MAX_NAMED = 25

/**
 * The block that the rows are of, as the node has it; null: rows are missing, or the node has no such block (yet). That says
 * nothing about the rows: the next round tries again.
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

/** Runs `work`; null when the node did not answer, or not for that block. */
export async function unlessUnavailable<Result>(work: () => Promise<Result | null>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnavailable) return null
    throw error
  }
}

/**
 * Keeps the differences that two rounds in a row found. Rows may be of a block that a reorg has just replaced by one of the same height, which
 * no row tells: the indexer then writes others before the next round.
 */
export function confirm(
  { differences: current, unread }: Compared,
  before: { differences: Difference[]; suspects: Difference[] } | null,
): { differences: Difference[]; suspects: Difference[] } {
  const { differences = [], suspects = [] } = before ?? {}
  const earlierKeys = new Set([...differences, ...suspects].map(keyOf))
  // What was not read this time is as it was.
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

/** Counts the figures of each sum that were not read. */
export function countUnread(unread: Compared['unread']): Partial<Record<BookSum, number>> {
  const counts: Partial<Record<BookSum, number>> = {}
  for (const { sum } of unread) counts[sum] = (counts[sum] ?? 0) + 1
  return counts
}

/** Lists the accounts of a sum that the last round found to differ: they are looked at again first. */
export function foundBefore(
  before: { differences: Difference[]; suspects: Difference[] } | null,
  sum: Difference['sum'],
): string[] {
  const earlier = [...(before?.differences ?? []), ...(before?.suspects ?? [])]
  return earlier.flatMap((difference) => (difference.sum === sum && difference.of !== null ? [difference.of] : []))
}

/** Logs what a round confirmed that the one before had not. */
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
