import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { Database } from '../db/client.ts'
import type { BookSum, ComparedBlock, Difference } from '../read-model/books.queries.ts'
import type { IndexedBlock } from './indexed-block.queries.ts'

/** The dependencies of the comparisons. */
export interface BooksDeps {
  sql: Database
  chain: Chain
  deployment: Deployment
  log: { warn(facts: object, message: string): void }
}

/** The result of one comparison: the figures that differ, and the figures that could not be read completely. */
export interface Compared {
  differences: Difference[]
  unread: Pick<Difference, 'sum' | 'of'>[]
}

/** The pause after a round that could not read its block, in milliseconds. */
export const RETRY_MS = 2_000
/**
 * The milliseconds after which a loop checks again whether a part of the audit is due. A part is not due while another
 * process works on it.
 */
export const POLL_MS = 5_000
/** The longest pause of a loop, in milliseconds. It is short, because monitoring counts the loop's runs. */
export const LONGEST_PAUSE_MS = 15_000
/**
 * The pause after a new difference was found, in milliseconds. It is short, so that the next round confirms it soon.
 */
export const CONFIRM_MS = 5_000
/** The largest number of differences that are stored by name. The next round compares the stored ones first. */
export const MAX_NAMED = 25

/**
 * Returns the block of the rows, with its hash from the node. Returns null if rows are missing, or if the node does not
 * have the block. A null result is no finding about the rows; the next round tries again.
 */
export async function findComparedBlock(
  { chain }: Pick<BooksDeps, 'chain'>,
  indexedBlock: IndexedBlock | null,
): Promise<ComparedBlock | null> {
  if (indexedBlock === null || !indexedBlock.ready) return null
  const { blockNumber: number, blockTimestamp: timestamp } = indexedBlock
  const hash = await chain.blockHash(number)
  return hash === null ? null : { number, timestamp, hash }
}

/**
 * Runs `work` and returns its result. Returns null if the node did not answer, or has no state of the requested block.
 */
export async function unlessUnavailable<Result>(work: () => Promise<Result | null>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnavailable) return null
    throw error
  }
}

/**
 * Returns the differences that two successive rounds found, and as `suspects` those that only the latest round found. A
 * single round may be wrong: a reorg may just have replaced the rows' block by another block of the same height. The
 * rows show this only after the indexer has written new rows.
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

/** Returns the number of unread figures of each sum. */
export function countUnread(unreadFigures: Compared['unread']): Partial<Record<BookSum, number>> {
  const counts: Partial<Record<BookSum, number>> = {}
  for (const { sum } of unreadFigures) counts[sum] = (counts[sum] ?? 0) + 1
  return counts
}

/**
 * Lists the accounts, vaults or tasks whose figures in a sum differed in the last round. The next round compares these
 * first.
 */
export function foundBefore(
  before: { differences: Difference[]; suspects: Difference[] } | null,
  sum: Difference['sum'],
): string[] {
  const earlierDifferences = [...(before?.differences ?? []), ...(before?.suspects ?? [])]
  return earlierDifferences.flatMap((difference) =>
    difference.sum === sum && difference.of !== null ? [difference.of] : [],
  )
}

/** Logs the differences that were confirmed in this round. */
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
