import { ponder } from 'ponder:registry'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { takeFrom } from '../../../protocol/rules/amounts.ts'
import { credit } from '../../schema/settlement.ts'
import { positionOf } from '../../store/event-position.ts'
import { recordMarketEvent, updateMarketStats } from '../../store/market.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:PayoutDeferred', async ({ event, context }) => {
  const { account, taskId, amount } = event.args
  const row = await getTask(context.db, taskId)
  await context.db
    .insert(credit)
    .values({ account, amount, deferredTotal: amount, ...positionOf(event) })
    .onConflictDoUpdate((creditRow) => ({
      amount: creditRow.amount + amount,
      deferredTotal: creditRow.deferredTotal + amount,
    }))
  await updateMarketStats(context.db, (stats) => ({ totalEscrow: stats.totalEscrow + amount }))
  await recordTaskEvent(context.db, row, { event, name: 'PayoutDeferred', subject: account, amount })
})

ponder.on('TaskMarket:CreditWithdrawn', async ({ event, context }) => {
  const { account, amount } = event.args
  await context.db.update(credit, { account }).set((creditRow) => ({ amount: takeFrom(creditRow.amount, amount) }))
  await updateMarketStats(context.db, (stats) => ({ totalEscrow: takeFrom(stats.totalEscrow, amount) }))
  await recordMarketEvent(context.db, { event, contract: 'market', abi: taskMarketAbi, name: 'CreditWithdrawn' })
})
