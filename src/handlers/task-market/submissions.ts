import { ponder } from 'ponder:registry'
import { toSubmissionId, toTaskWorkerId } from '../../rules/row-ids.ts'
import { moveStatus, parseTaskStatus, toTaskStatus } from '../../rules/task-status.ts'
import { submission, taskEntry } from '../../schema/submission.ts'
import { ensureAgent, updateAgent } from '../../store/agents.ts'
import { positionOf } from '../../store/event-position.ts'
import { takeReferenceCode } from '../../store/reference-codes.ts'
import { findTaskEntry, getTaskEntry } from '../../store/task-entries.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskSubmitted', async ({ event, context }) => {
  const { taskId, worker, deliverable, submissionIndex, status, expiryTime, activeSubmissions } = event.args
  const row = await getTask(context.db, taskId)
  const entry = await findTaskEntry(context.db, taskId, worker)
  const isFirst = entry === null
  const id = toSubmissionId(taskId, { worker, deliverable })

  await context.db.insert(submission).values({
    id,
    referenceCode: await takeReferenceCode(context.db, 'submission', id),
    taskId,
    worker,
    deliverable,
    submissionIndex,
    submittedAt: event.block.timestamp,
    rejectedAt: null,
    previousId: entry?.lastSubmissionId ?? null,
    ...positionOf(event),
  })
  if (isFirst) {
    await context.db.insert(taskEntry).values({
      id: toTaskWorkerId(taskId, worker),
      taskId,
      worker,
      submissionCount: 1,
      activeSubmissionCount: 1,
      rejected: false,
      awarded: false,
      rated: false,
      lastSubmissionId: id,
    })
  } else {
    await context.db.update(taskEntry, { id: entry.id }).set({
      submissionCount: entry.submissionCount + 1,
      activeSubmissionCount: entry.activeSubmissionCount + 1,
      lastSubmissionId: id,
    })
  }

  await ensureAgent(context.db, worker)
  await updateAgent(context.db, row.requester, (agent) => ({
    submissionAttempts: agent.submissionAttempts + 1,
    submitterPairs: agent.submitterPairs + (isFirst ? 1 : 0),
  }))
  await recordTaskEvent(context.db, row, {
    event,
    name: 'TaskSubmitted',
    subject: worker,
    patch: {
      status: moveStatus('TaskSubmitted', parseTaskStatus(row.status), toTaskStatus(status)),
      expiryTime: BigInt(expiryTime),
      submissionCount: row.submissionCount + 1,
      activeSubmissionCount: activeSubmissions,
      submitterCount: row.submitterCount + (isFirst ? 1 : 0),
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
    const rejected = await context.db.update(submission, { id }).set({ rejectedAt: event.block.timestamp })
    id = rejected.previousId
  }
  await recordTaskEvent(context.db, row, {
    event,
    name: 'SubmissionRejected',
    subject: worker,
    patch: { activeSubmissionCount: activeSubmissions },
  })
})
