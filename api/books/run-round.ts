import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { Database } from '../db/client.ts'
import type { BookSum, ComparedBlock, Difference } from '../read-model/books.queries.ts'
import type { IndexedBlock } from './indexed-block.queries.ts'

/** The dependencies of the comparisons between the indexed rows and the contracts. */
export interface BooksDeps {
  sql: Database
  chain: Chain
  deployment: Deployment
  log: { warn(facts: object, message: string): void }
}

/** The result of one comparison: the figures that differ, and the figures that were not read completely. */
export interface Compared {
  differences: Difference[]
  unread: Pick<Difference, 'sum' | 'of'>[]
}

/**
 * The pause in milliseconds after a round without a result. A round has no result if the indexer's rows are incomplete,
 * or if the node did not answer a question about the rows' block.
 */
export const RETRY_MS = 2_000
/**
 * The time in milliseconds after which a loop checks again whether a part of the audit is due. A part is not due while
 * another process compares it.
 */
export const POLL_MS = 5_000
/**
 * The longest pause between two runs of a comparison loop, in milliseconds. It is short, because monitoring counts the
 * loop's runs.
 */
export const LONGEST_PAUSE_MS = 15_000
/**
 * The pause in milliseconds after a new difference. It is short, because the next round must confirm the difference.
 */
export const CONFIRM_MS = 5_000
/**
 * The largest number of differences that are stored individually. The next round compares the stored differences first.
 */
export const MAX_NAMED = 25

/**
 * Returns the block that the indexer's rows belong to, with the hash that the node has for this block. Returns null if
 * rows are missing or the node does not have the block. A later round then tries again.
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
 * Runs `work` and returns the result. Returns null if the node did not answer, or if the node does not have the state
 * of the block that `work` reads.
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
 * Divides the differences that this round found. The result's `differences` were also found by the previous round. The
 * result's `suspects` were found only by this round. If a figure could not be read in this round, its previous result
 * is kept.
 */
export function confirm(
  { differences: current, unread }: Compared,
  before: { differences: Difference[]; suspects: Difference[] } | null,
): { differences: Difference[]; suspects: Difference[] } {
  // A single round may be wrong. A reorg may have replaced the rows' block by another block of the same height, which
  // the rows show only after the indexer has written new rows.
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

/**
 * Returns, for each sum of the books, the number of figures that could not be read from the contracts. Example: three
 * unread vault balances give `{ vault_balance: 3 }`.
 */
export function countUnread(unreadFigures: Compared['unread']): Partial<Record<BookSum, number>> {
  const counts: Partial<Record<BookSum, number>> = {}
  for (const { sum } of unreadFigures) counts[sum] = (counts[sum] ?? 0) + 1
  return counts
}

/**
 * Returns the accounts, vaults or tasks for which the previous round (`before`) found a difference in the sum `sum`.
 * This round compares these accounts, vaults or tasks again.
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

/** Logs the differences that this round confirmed and the previous round (`before`) had not confirmed. */
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
