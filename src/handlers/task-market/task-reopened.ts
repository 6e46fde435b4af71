import { ponder } from 'ponder:registry'
import { moveStatus, parseTaskStatus } from '../../../protocol/rules/task-status.ts'
import { moveClaim } from '../../store/claims.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskReopened', async ({ event, context }) => {
  const { taskId, round } = event.args
  const row = await getTask(context.db, taskId)
  await moveClaim(context.db, row, 'forfeited')
  await recordTaskEvent(context.db, row, {
    event,
    name: 'TaskReopened',
    // The worker of the ended claim. The task has no worker after the event.
    subject: row.worker,
    patch: {
      status: moveStatus('TaskReopened', parseTaskStatus(row.status), 'open'),
      worker: null,
      workerAssignedAt: null,
      price: null,
      claimRound: round,
    },
  })
})
