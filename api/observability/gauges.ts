import type { Registry } from 'prom-client'
import { instrumentsOf } from '../../metrics/instruments.ts'
import { type BookSum, type Books, bookSums, differencesOf } from '../read-model/books.queries.ts'
import { createServerGauges } from './server-gauges.ts'
import type { Sources } from './sources.ts'

/** The gauges whose values are read from the database and the chain at each scrape. */
export interface Gauges {
  /**
   * Reads every source and sets the gauges. A source must answer within two seconds. If it does not, its gauges have no
   * value, and the gauge `taskmarket_up` with its label is 0.
   */
  gather(): Promise<void>
}

/**
 * Creates the gauges.
 * @param foreignWeiPerDay the limit in wei of the daily gas cost of foreign writes (writes that run code of other
 * accounts); the gauge `taskmarket_foreign_gas_limit_wei` shows the limit
 */
export function createGauges(
  registry: Registry,
  sources: Sources,
  { foreignWeiPerDay }: { foreignWeiPerDay: bigint },
): Gauges {
  const { gauge } = instrumentsOf(registry)
  const up = gauge('taskmarket_up')
  const intents = gauge('taskmarket_intents')
  const oldest = gauge('taskmarket_oldest_intent_seconds')
  const stuckTransactions = gauge('taskmarket_stuck_transactions')
  const refunds = gauge('taskmarket_refunds')
  const failedRefunds = gauge('taskmarket_failed_refunds_base_units')
  const foreignIntents = gauge('taskmarket_foreign_intents')
  const foreignGas = gauge('taskmarket_foreign_gas_wei')
  gauge('taskmarket_foreign_gas_limit_wei').set(Number(foreignWeiPerDay))
  const filesToEmpty = gauge('taskmarket_files_to_remove')
  const chainBlock = gauge('taskmarket_chain_block')
  const lagBlocks = gauge('taskmarket_indexer_lag_blocks')
  const lagSeconds = gauge('taskmarket_indexer_lag_seconds')
  const nonces = gauge('taskmarket_relayer_nonce')
  const balances = gauge('taskmarket_relayer_balance_wei')
  const signerFailures = gauge('taskmarket_signer_failures')
  const runways = gauge('taskmarket_relayer_runway_days')
  const booksDifference = gauge('taskmarket_books_difference')
  const booksUnread = gauge('taskmarket_books_unread')
  const booksAge = gauge('taskmarket_books_age_seconds')
  const booksRotation = gauge('taskmarket_books_rotation_seconds')
  const server = createServerGauges(registry, sources)

  const withLabels = [intents, oldest, refunds, filesToEmpty, nonces, balances, signerFailures, runways]
  const withoutLabels = [
    stuckTransactions,
    failedRefunds,
    foreignIntents,
    foreignGas,
    chainBlock,
    lagBlocks,
    lagSeconds,
  ]
  return {
    gather: async () => {
      const [databaseWrites, chain, indexer, backlog, relayers, runway, storage, books] = await Promise.all([
        sources.databaseWrites(),
        sources.chain(),
        sources.indexer(),
        sources.backlog(),
        sources.relayers(),
        sources.runways(),
        sources.storage(),
        sources.books(),
        server.gather(up),
      ])
      // Unknown values must not keep their last reading.
      for (const each of [...withLabels, booksDifference, booksUnread, booksAge]) each.reset()
      for (const each of [...withoutLabels, booksRotation]) each.remove()

      const parts = { database_writes: databaseWrites, chain, indexer, relayers, storage }
      for (const [part, { ok }] of Object.entries(parts)) up.set({ part }, ok ? 1 : 0)
      if (chain.ok) chainBlock.set(Number(chain.value.head.number))
      if (indexer.ok) {
        lagBlocks.set(indexer.value.blocks)
        lagSeconds.set(indexer.value.seconds)
      }
      if (backlog.ok) {
        const { recorded, broadcast, held, settling } = backlog.value
        for (const [status, count] of Object.entries({ recorded, broadcast, held, settling }))
          intents.set({ status }, count)
        oldest.set({ status: 'recorded' }, backlog.value.oldestRecordedSeconds ?? 0)
        oldest.set({ status: 'broadcast' }, backlog.value.oldestBroadcastSeconds ?? 0)
        stuckTransactions.set(backlog.value.stuck)
        foreignIntents.set(backlog.value.recordedForeign)
        foreignGas.set(backlog.value.foreignGasWei)
        refunds.set({ status: 'pending' }, backlog.value.refundsPending)
        refunds.set({ status: 'refunding' }, backlog.value.refundsOnTheirWay)
        refunds.set({ status: 'failed' }, backlog.value.refundsFailed)
        failedRefunds.set(backlog.value.failedRefundsBaseUnits)
        filesToEmpty.set({ area: 'uploads' }, backlog.value.uploadsToEmpty)
        filesToEmpty.set({ area: 'artifacts' }, backlog.value.artifactsToEmpty)
      }
      if (books.ok) {
        for (const sum of bookSums) {
          booksDifference.set({ sum }, sizeOf(books.value, sum))
          booksUnread.set({ sum }, books.value.sums?.unread[sum] ?? books.value.tasks?.unread[sum] ?? 0)
        }
        const { sumsAge, tasksAge, tasks } = books.value
        if (sumsAge !== null) booksAge.set({ part: 'sums' }, sumsAge)
        if (tasksAge !== null) booksAge.set({ part: 'tasks' }, tasksAge)
        if (tasks !== null && tasks.rotationSeconds !== null) booksRotation.set(tasks.rotationSeconds)
      }
      if (relayers.ok) {
        for (const { address: relayer, nextNonce, minedNonce, balanceWei, ...state } of relayers.value) {
          nonces.set({ relayer, source: 'database' }, Number(nextNonce))
          nonces.set({ relayer, source: 'chain' }, Number(minedNonce))
          balances.set({ relayer }, Number(balanceWei))
          signerFailures.set({ relayer }, state.signerFailures)
        }
      }
      if (runway.ok) {
        for (const { address: relayer, days } of runway.value) if (days !== null) runways.set({ relayer }, days)
      }
    },
  }
}

/**
 * The comparisons whose gauge shows how many accounts or tasks differ between database rows and contracts. For every
 * comparison that is not listed here, the gauge shows the largest difference.
 */
const countedSums: readonly BookSum[] = ['credits', 'nonces', 'tasks']

function sizeOf(books: Books, sum: BookSum): number {
  const amounts = differencesOf(books).flatMap((one) => (one.sum === sum ? [Math.abs(Number(one.amount))] : []))
  return countedSums.includes(sum) ? amounts.length : Math.max(0, ...amounts)
}
