import { Gauge, type Registry } from 'prom-client'
import { type BookSum, type Books, bookSums, differencesOf } from '../read-model/books.queries.ts'
import type { Probed } from './probe.ts'
import type { Sources } from './sources.ts'

/** What the database and the chain say at a scrape. */
export interface Gauges {
  /** Asks every source, each for two seconds at most. What gives no answer has no value; its `up` is 0. */
  gather(): Promise<void>
}

export function createGauges(registry: Registry, sources: Sources): Gauges {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `taskmarket_${name}`, help, labelNames, registers: [registry] })
  const up = gauge('up', 'Whether a part answered this scrape.', 'part')
  const databaseWait = gauge(
    'database_wait_seconds',
    'An empty query through the pool, waiting for a connection included.',
  )
  const connections = gauge('database_connections', 'Connections of all processes of the service.', 'state')
  const intents = gauge(
    'intents',
    'Relayed writes without an outcome: recorded (the outbox), broadcast, held, settling.',
    'status',
  )
  const oldest = gauge('oldest_intent_seconds', 'Age of the oldest intent in this status; 0 without one.', 'status')
  const stuck = gauge('stuck_transactions', 'On their way without a receipt for longer than REPLACE_AFTER_MS.')
  const refunds = gauge('refunds', 'Payments to give back: waiting, on their way, left to an operator.', 'status')
  const failedRefunds = gauge('failed_refunds_base_units', 'What refunds left to an operator owe, USDC base units.')
  const foreignIntents = gauge('foreign_intents', 'Of the recorded writes, those that run code of other accounts.')
  const foreignGas = gauge(
    'foreign_gas_wei',
    'Used and set aside today for such writes, without those that fees pay for.',
  )
  const filesToEmpty = gauge('files_to_remove', 'Files without a use whose bytes are still there.', 'area')
  const chainBlock = gauge('chain_block', 'Height of the chain head.')
  const lagBlocks = gauge('indexer_lag_blocks', 'Blocks the read model is behind the chain head.')
  const lagSeconds = gauge('indexer_lag_seconds', 'The same in block time.')
  const nonces = gauge(
    'relayer_nonce',
    'Next nonce of a relayer: in our table, and of its account.',
    'relayer',
    'source',
  )
  const balances = gauge('relayer_balance_wei', 'Ether of a relayer, wei.', 'relayer')

  const booksDifference = gauge(
    'books_difference',
    'Where rows and contracts differ: base units of a sum, the largest of a page; of credits, nonces, tasks how many.',
    'sum',
  )
  const booksUnread = gauge('books_unread', 'Figures of a sum that contracts or tokens did not tell.', 'sum')
  const booksAge = gauge('books_age_seconds', 'Since rows and contracts were last compared.', 'part')
  const booksRotation = gauge('books_rotation_seconds', 'How long the last look at every running task took.')

  const recordUp = (part: string, probed: Probed<unknown>) => up.set({ part }, probed.ok ? 1 : 0)
  return {
    gather: async () => {
      const [database, chain, indexer, backlog, relayers, states, storage, books] = await Promise.all([
        sources.database(),
        sources.chain(),
        sources.indexer(),
        sources.backlog(),
        sources.relayers(),
        sources.connections(),
        sources.storage(),
        sources.books(),
      ])
      // What is not known now must not look as it looked before.
      for (const each of [connections, intents, oldest, refunds, filesToEmpty, nonces, balances]) each.reset()
      for (const each of [booksDifference, booksUnread, booksAge]) each.reset()
      booksRotation.remove()
      for (const each of [
        databaseWait,
        stuck,
        failedRefunds,
        foreignIntents,
        foreignGas,
        chainBlock,
        lagBlocks,
        lagSeconds,
      ])
        each.remove()

      recordUp('database', database)
      recordUp('chain', chain)
      recordUp('indexer', indexer)
      recordUp('relayers', relayers)
      recordUp('storage', storage)
      if (database.ok) databaseWait.set(database.milliseconds / 1000)
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
        stuck.set(backlog.value.stuck)
        foreignIntents.set(backlog.value.recordedForeign)
        foreignGas.set(backlog.value.foreignGasWei)
        refunds.set({ status: 'pending' }, backlog.value.refundsPending)
        refunds.set({ status: 'refunding' }, backlog.value.refundsOnTheirWay)
        refunds.set({ status: 'failed' }, backlog.value.refundsFailed)
        failedRefunds.set(backlog.value.failedRefundsBaseUnits)
        filesToEmpty.set({ area: 'uploads' }, backlog.value.uploadsToEmpty)
        filesToEmpty.set({ area: 'artifacts' }, backlog.value.artifactsToEmpty)
      }
      if (states.ok) for (const { state, count } of states.value) connections.set({ state }, count)
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
        for (const { address: relayer, nextNonce, minedNonce, balanceWei } of relayers.value) {
          nonces.set({ relayer, source: 'database' }, Number(nextNonce))
          nonces.set({ relayer, source: 'chain' }, Number(minedNonce))
          balances.set({ relayer }, Number(balanceWei))
        }
      }
    },
  }
}

/** Sums of single accounts and tasks, which are counted. */
const counted: readonly BookSum[] = ['credits', 'nonces', 'tasks']

function sizeOf(books: Books, sum: BookSum): number {
  const amounts = differencesOf(books).flatMap((one) => (one.sum === sum ? [Math.abs(Number(one.amount))] : []))
  return counted.includes(sum) ? amounts.length : Math.max(0, ...amounts)
}
