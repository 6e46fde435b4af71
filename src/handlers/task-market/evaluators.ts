import { ponder } from 'ponder:registry'
import { toAddressOrNull } from '../../../protocol/rules/nullable-address.ts'
import { moveStatus, parseTaskStatus, toTaskStatus } from '../../../protocol/rules/task-status.ts'
import { evaluation } from '../../schema/evaluation.ts'
import { positionOf } from '../../store/event-position.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:EvaluatorAssigned', async ({ event, context }) => {
  const { taskId, evaluator, resolver, feeBps, evaluationWindow, appealWindow } = event.args
  const row = await getTask(context.db, taskId)
  const disputeResolver = toAddressOrNull(resolver)
  const assignment = {
    evaluator,
    disputeResolver,
    feeBps,
    evaluationWindow: BigInt(evaluationWindow),
    appealWindow: BigInt(appealWindow),
    assignedAt: event.block.timestamp,
    timedOutAt: null,
    ...positionOf(event),
  } satisfies Partial<typeof evaluation.$inferInsert>
  // A contest whose evaluator timed out before a worker entered may get another evaluator. It has no verdict yet.
  await context.db
    .insert(evaluation)
    .values({ taskId, ...assignment })
    .onConflictDoUpdate(assignment)
  await recordTaskEvent(context.db, row, {
    event,
    name: 'EvaluatorAssigned',
    subject: evaluator,
    patch: { evaluator, disputeResolver },
  })
})

ponder.on('TaskMarket:EvaluatorTimedOut', async ({ event, context }) => {
  const { taskId, evaluator, status } = event.args
  const row = await getTask(context.db, taskId)
  await context.db.update(evaluation, { taskId }).set({ timedOutAt: event.block.timestamp })
  await recordTaskEvent(context.db, row, {
    event,
    name: 'EvaluatorTimedOut',
    subject: evaluator,
    patch: {
      status: moveStatus('EvaluatorTimedOut', parseTaskStatus(row.status), toTaskStatus(status)),
      evaluator: null,
      disputeResolver: null,
      evaluatorDeadline: null,
    },
  })
})
