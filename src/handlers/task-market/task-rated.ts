import { ponder } from 'ponder:registry'
import { toRatingId, toTaskWorkerId } from '../../../protocol/rules/row-ids.ts'
import { toStoredText } from '../../../protocol/rules/stored-text.ts'
import { award, rating } from '../../schema/settlement.ts'
import { taskEntry } from '../../schema/submission.ts'
import { updateAgent } from '../../store/agents.ts'
import { positionOf } from '../../store/event-position.ts'
import { getTaskEntry } from '../../store/task-entries.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskRated', async ({ event, context }) => {
  const { taskId, worker, raterAgentId, workerAgentId, hasAgent, feedbackURI, feedbackHash } = event.args
  const row = await getTask(context.db, taskId)
  const entry = await getTaskEntry(context.db, taskId, worker)

  await context.db.insert(rating).values({
    id: toRatingId(taskId, worker),
    taskId,
    worker,
    requester: row.requester,
    rating: event.args.rating,
    raterAgentId,
    workerAgentId: hasAgent ? workerAgentId : null,
    feedbackUri: toStoredText(feedbackURI),
    feedbackHash,
    ratedAt: event.block.timestamp,
    ...positionOf(event),
  })
  const { grossAmount } = await context.db
    .update(award, { id: toTaskWorkerId(taskId, worker) })
    .set({ rating: event.args.rating, ratedAt: event.block.timestamp })
  await context.db.update(taskEntry, { id: entry.id }).set({ rated: true })
  // The market refuses a requester's rating of itself.
  await updateAgent(context.db, worker, (agent) => ({
    ratedTasks: agent.ratedTasks + 1,
    ratedVolume: agent.ratedVolume + grossAmount,
    totalStars: agent.totalStars + event.args.rating,
  }))
  await recordTaskEvent(context.db, row, {
    event,
    name: 'TaskRated',
    subject: worker,
    patch: { unratedAwards: row.unratedAwards - 1 },
  })
})
