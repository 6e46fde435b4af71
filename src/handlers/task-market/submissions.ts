import { ponder } from 'ponder:registry'
import type { Hex } from 'viem'
import { toSubmissionId } from '../../../protocol/rules/row-ids.ts'
import { moveStatus, parseTaskStatus, type TaskStatus, toTaskStatus } from '../../../protocol/rules/task-status.ts'
import { submission, taskEntry } from '../../schema/submission.ts'
import { ensureAgent, rememberWorker, updateAgent } from '../../store/agents.ts'
import { moveClaim } from '../../store/claims.ts'
import { positionOf } from '../../store/event-position.ts'
import { takeReferenceCode } from '../../store/reference-codes.ts'
import { enterTask, getTaskEntry } from '../../store/task-entries.ts'
import { getTask, recordTaskEvent, type TaskPatch } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskSubmitted', async ({ event, context }) => {
  const { taskId, worker, deliverable, submissionIndex, status, expiryTime, activeSubmissions } = event.args
  const row = await getTask(context.db, taskId)
  const after = moveStatus('TaskSubmitted', parseTaskStatus(row.status), toTaskStatus(status))
  const id = toSubmissionId(taskId, { worker, deliverable })
  const entry = await enterTask(context.db, { entered: row, worker }, (presentEntry) => ({
    submissionCount: presentEntry.submissionCount + 1,
    activeSubmissionCount: presentEntry.activeSubmissionCount + 1,
    lastSubmissionId: id,
    listed: row.listed,
  }))
  const isFirst = entry.submissionCount === 0

  await context.db.insert(submission).values({
    id,
    referenceCode: await takeReferenceCode(context.db, 'submission', id),
    taskId,
    worker,
    deliverable,
    submissionIndex,
    submittedAt: event.block.timestamp,
    rejectedAt: null,
    previousId: entry.lastSubmissionId,
    ...positionOf(event),
  })
  if (row.mode === 'claim') await moveClaim(context.db, row, 'submitted')

  await ensureAgent(context.db, worker)
  const isNewWorker = isFirst && (await rememberWorker(context.db, row.requester, worker))
  await updateAgent(context.db, row.requester, (agent) => ({
    submissionAttempts: agent.submissionAttempts + 1,
    uniqueWorkers: agent.uniqueWorkers + (isNewWorker ? 1 : 0),
  }))
  await recordTaskEvent(context.db, row, {
    event,
    name: 'TaskSubmitted',
    subject: worker,
    patch: {
      status: after,
      expiryTime: BigInt(expiryTime),
      submissionCount: row.submissionCount + 1,
      activeSubmissionCount: activeSubmissions,
      submitterCount: row.submitterCount + (isFirst ? 1 : 0),
      ...deliveryPatch(after, event.args),
    },
  })
})

ponder.on('TaskMarket:SubmissionRejected', async ({ event, context }) => {
  const { taskId, worker, activeSubmissions } = event.args
  const row = await getTask(context.db, taskId)
  const entry = await getTaskEntry(context.db, taskId, worker)

  await context.db.update(taskEntry, { id: entry.id }).set({ rejected: true, activeSubmissionCount: 0 })
  let id = entry.lastSubmissionId
  while (id !== null) {
    const rejectedRow = await context.db.update(submission, { id }).set({ rejectedAt: event.block.timestamp })
    id = rejectedRow.previousId
  }
  await recordTaskEvent(context.db, row, {
    event,
    name: 'SubmissionRejected',
    subject: worker,
    patch: { activeSubmissionCount: activeSubmissions },
  })
})

/**
 * Returns the changes of the task's row after a delivery by the assigned worker. Returns no changes for a contest,
 * because a contest remains open. If the task has an evaluator, the delivery starts the evaluation window.
 */
function deliveryPatch(after: TaskStatus, args: { deliverable: Hex; phaseDeadline: number }): TaskPatch {
  if (after === 'open') return {}
  const evaluatorDeadline = after === 'review' ? BigInt(args.phaseDeadline) : null
  return { deliverable: args.deliverable, evaluatorDeadline }
}
