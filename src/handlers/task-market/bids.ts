import { ponder } from 'ponder:registry'
import { isNewLowestBid } from '../../../protocol/rules/lowest-bid.ts'
import { toBidId } from '../../../protocol/rules/row-ids.ts'
import { bid } from '../../schema/bid.ts'
import { ensureAgent } from '../../store/agents.ts'
import { positionOf } from '../../store/event-position.ts'
import { enterTask } from '../../store/task-entries.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:BidSubmitted', async ({ event, context }) => {
  const { taskId, worker, price, bidCount } = event.args
  const row = await getTask(context.db, taskId)
  if (row.bidDeadline === null) throw new Error(`task ${taskId} takes bids without a deadline`)
  const presentBid = {
    price,
    bidNumber: bidCount,
    placedAt: event.block.timestamp,
    ...positionOf(event),
  } satisfies Partial<typeof bid.$inferInsert>

  await context.db
    .insert(bid)
    .values({
      id: toBidId(taskId, worker),
      taskId,
      worker,
      placedCount: 1,
      bidDeadline: row.bidDeadline,
      ...presentBid,
    })
    .onConflictDoUpdate((earlierRow) => ({ ...presentBid, placedCount: earlierRow.placedCount + 1 }))
  const entry = await enterTask(context.db, { entered: row, worker }, () => ({ bid: price }))
  const bidderCount = row.bidderCount + (entry.bid === null ? 1 : 0)
  await ensureAgent(context.db, worker)
  const lowestFields = isNewLowestBid(price, row.lowestBid) ? { lowestBid: price, lowestBidder: worker } : {}
  await recordTaskEvent(context.db, row, {
    event,
    name: 'BidSubmitted',
    subject: worker,
    patch: { bidCount, bidderCount, ...lowestFields },
  })
})
