import { type Event, ponder } from 'ponder:registry'
import { takeFrom } from '../../../protocol/rules/amounts.ts'
import { hasActiveClaim } from '../../../protocol/rules/claim-status.ts'
import { parseTaskMode } from '../../../protocol/rules/selectors.ts'
import { moveStatus, parseTaskStatus } from '../../../protocol/rules/task-status.ts'
import { moveClaim } from '../../store/claims.ts'
import { updateMarketStats } from '../../store/market.ts'
import type { Store } from '../../store/store.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

type Ending = 'TaskCancelled' | 'TaskExpired'

const endings = { TaskCancelled: 'cancelled', TaskExpired: 'expired' } as const

ponder.on('TaskMarket:TaskCancelled', ({ event, context }) => endWithRefund(context.db, 'TaskCancelled', event))
ponder.on('TaskMarket:TaskExpired', ({ event, context }) => endWithRefund(context.db, 'TaskExpired', event))

/**
 * Ends a task after the refund of the remaining escrow to the requester. A claim without a delivery becomes forfeited.
 */
async function endWithRefund(store: Store, name: Ending, event: Event<`TaskMarket:${Ending}`>): Promise<void> {
  const { taskId, refund } = event.args
  const row = await getTask(store, taskId)
  const status = parseTaskStatus(row.status)
  if (hasActiveClaim({ mode: parseTaskMode(row.mode), status })) await moveClaim(store, row, 'forfeited')
  await updateMarketStats(store, (stats) => ({ totalEscrow: takeFrom(stats.totalEscrow, refund) }))
  await recordTaskEvent(store, row, {
    event,
    name,
    subject: row.requester,
    amount: refund,
    patch: {
      status: moveStatus(name, status, endings[name]),
      escrow: takeFrom(row.escrow, refund),
      endedAt: event.block.timestamp,
    },
  })
}
