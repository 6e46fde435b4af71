import { ponder } from 'ponder:registry'
import { toClaimId } from '../../../protocol/rules/row-ids.ts'
import { statusAfterSelection, toSelectionKind } from '../../../protocol/rules/selection.ts'
import { moveStatus, parseTaskStatus } from '../../../protocol/rules/task-status.ts'
import { claim } from '../../schema/claim.ts'
import { ensureAgent } from '../../store/agents.ts'
import { takeCollected } from '../../store/arrivals.ts'
import { positionOf } from '../../store/event-position.ts'
import { updateMarketStats } from '../../store/market.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskWorkerSelected', async ({ event, context }) => {
  const { taskId, worker, price, stake } = event.args
  const row = await getTask(context.db, taskId)
  const kind = toSelectionKind(event.args.kind)

  if (kind === 'claim') {
    await context.db.insert(claim).values({
      id: toClaimId(taskId, { worker, round: row.claimRound }),
      taskId,
      worker,
      round: row.claimRound,
      stakeAmount: stake,
      status: 'active',
      claimedAt: event.block.timestamp,
      ...positionOf(event),
    })
  }
  await ensureAgent(context.db, worker)
  await updateMarketStats(context.db, (stats) => ({ totalEscrow: stats.totalEscrow + stake }))
  await takeCollected(context.db, event, stake)
  // EscrowReturned counts the part of the escrow above an auction's price.
  await recordTaskEvent(context.db, row, {
    event,
    name: 'TaskWorkerSelected',
    subject: worker,
    amount: stake,
    patch: {
      status: moveStatus('TaskWorkerSelected', parseTaskStatus(row.status), statusAfterSelection(kind)),
      worker,
      workerAssignedAt: event.block.timestamp,
      price,
      stake,
    },
  })
})
