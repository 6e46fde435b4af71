import { type Event, ponder } from 'ponder:registry'
import { takeFrom } from '../../../protocol/rules/amounts.ts'
import { moveClaim } from '../../store/claims.ts'
import { updateMarketStats } from '../../store/market.ts'
import type { Store } from '../../store/store.ts'
import { getTask, recordTaskEvent, type TaskRow } from '../../store/tasks.ts'

type StakeEvent = 'StakeReturned' | 'StakeForfeited'

ponder.on('TaskMarket:StakeReturned', async ({ event, context }) => {
  const row = await takeStake(context.db, 'StakeReturned', event)
  await moveClaim(context.db, row, 'returned')
})

// TaskReopened or TaskExpired of the same transaction forfeits the claim: they end claims without a stake too.
ponder.on('TaskMarket:StakeForfeited', async ({ event, context }) => {
  await takeStake(context.db, 'StakeForfeited', event)
})

/**
 * Subtracts a returned or forfeited stake from the task and from the market's total escrow. Returns the task's row as
 * it was before the event.
 */
async function takeStake(store: Store, name: StakeEvent, event: Event<`TaskMarket:${StakeEvent}`>): Promise<TaskRow> {
  const { taskId, worker, amount } = event.args
  const row = await getTask(store, taskId)
  await updateMarketStats(store, (stats) => ({ totalEscrow: takeFrom(stats.totalEscrow, amount) }))
  const patch = { stake: takeFrom(row.stake, amount) }
  await recordTaskEvent(store, row, { event, name, subject: worker, amount, patch })
  return row
}
