import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import type { Database, Transaction } from '../db/client.ts'
import { FINAL_DEPTH } from '../read-model/final-blocks.queries.ts'
import {
  type DailyFacts,
  deleteDaysBeside,
  findDailyFacts,
  findFirstTime,
  lockDailyState,
  setDailyState,
} from './daily-state.queries.ts'
import { findBlockRange, storeActivity, storeBalances, storeFlows, storeMoney } from './daily-sums.queries.ts'
import { type Day, dayAt, dayOf } from './day.ts'

/**
 * The version of the rules by which daily sums are computed. A release with another version computes all days again.
 */
const DEFINITION = 1
/** The pause between two checks whether another day has ended, in milliseconds. */
const POLL_MS = 30_000
/**
 * The milliseconds after which a transaction starts no further day. The database limits a transaction to 30 seconds.
 */
const TRANSACTION_MS = 2_000

/** The parts of the service that are needed to compute daily sums. */
export interface DailyDeps {
  sql: Database
  chain: Pick<Chain, 'blockTimestamp'>
}

/**
 * Fills the daily sums (tables `service.daily_*`) of each day that a reorg can no longer change. If `DEFINITION` or the
 * deployment of the indexer has changed, all days are filled again. Each day keeps its earlier sums until it is filled
 * again.
 * @returns the pause until the next call, in milliseconds
 */
export async function fillDays({ sql, chain }: DailyDeps): Promise<number> {
  const facts = await findDailyFacts(sql)
  if (facts === null || facts.head < FINAL_DEPTH) return POLL_MS
  const next = await findNextDay(sql, facts)
  // A node request is needed only when a day is over at the head.
  if (next === null || facts.headTime < next.end) return POLL_MS
  const finalTime = await findTime(chain, facts.head - FINAL_DEPTH)
  if (finalTime === null || finalTime < next.end) return POLL_MS
  const isComplete = await sql.begin('isolation level repeatable read', async (tx) => {
    await lockDailyState(tx)
    return await fillUntil(tx, { asked: facts, finalTime })
  })
  return isComplete ? POLL_MS : 0
}

/**
 * Returns the time of a block in Unix seconds. Returns null if the node does not have the block or does not answer.
 */
async function findTime(chain: DailyDeps['chain'], block: bigint): Promise<bigint | null> {
  try {
    return await chain.blockTimestamp(block)
  } catch (error) {
    if (error instanceof ChainUnavailable) return null
    throw error
  }
}

/** Returns the next day whose sums must be stored; null if the indexer has no rows yet. */
async function findNextDay(sql: Database | Transaction, facts: DailyFacts): Promise<Day | null> {
  const { state } = facts
  if (state !== null && isCurrent(facts)) return dayAt(dayOf(state.day).end)
  const first = await findFirstTime(sql)
  return first === null ? null : dayAt(first)
}

function isCurrent({ state, schemaVersion }: DailyFacts): boolean {
  return state?.schemaVersion === schemaVersion && state.definition === DEFINITION
}

/**
 * Fills the next final days in one transaction. A final day is a day that no reorg can change any more. Starts no
 * further day after `TRANSACTION_MS` milliseconds.
 * @returns false if the time was over before all final days were filled; otherwise true. Also true if the rows are now
 * of another deployment or of a shorter chain; nothing is filled in that case.
 */
async function fillUntil(
  tx: Transaction,
  { asked, finalTime }: { asked: DailyFacts; finalTime: bigint },
): Promise<boolean> {
  const facts = await findDailyFacts(tx)
  // The rows are of another deployment or a shorter chain, so the node's answer may not apply.
  if (facts === null || facts.schemaVersion !== asked.schemaVersion || facts.head < asked.head) return true
  const stopAt = performance.now() + TRANSACTION_MS
  let next = await findNextDay(tx, facts)
  if (next !== null && next.end <= finalTime && !isCurrent(facts)) {
    const last = dayAt(dayAt(finalTime).begin - 1n)
    await deleteDaysBeside(tx, { first: next.date, last: last.date })
  }
  while (next !== null && next.end <= finalTime) {
    if (performance.now() > stopAt) return false
    await fillDay(tx, next)
    await setDailyState(tx, { schemaVersion: facts.schemaVersion, definition: DEFINITION, day: next.date })
    next = dayAt(next.end)
  }
  return true
}

async function fillDay(tx: Transaction, day: Day): Promise<void> {
  const blocks = await findBlockRange(tx, day)
  await storeFlows(tx, day, blocks)
  await storeBalances(tx, day)
  await storeMoney(tx, day)
  await storeActivity(tx, day, blocks)
}
