import { textAt } from '../recorder.ts'
import type { RecordingContext } from '../recording-context.ts'
import { hexAt } from '../recording-context.ts'

/** Records lists and totals of the demo tasks, and the outcome of a write. */
export async function recordTasks(context: RecordingContext): Promise<void> {
  const { record, findSeededTask, wallet } = context
  await record('getTaskStats')
  await record('listTasks', { query: { limit: '1', tags: 'accessibility' } })
  await record('getTask', { params: { taskId: await findSeededTask('Find every broken link') } })
  const { body: drops } = await record('listTaskDrops', { query: { limit: '1' } })
  await record('getTaskDrop', { params: { taskDropId: textAt(drops, 'taskDrops', 0, 'id') } })
  for (const id of ['getRequesterStats', 'getRequesterStatsAlias']) {
    await record(id, { params: { address: wallet('carol').address } })
  }
  await recordChanges(context)
}

/** Records the creation, the changes and the cancellation of a task by its requester. */
async function recordChanges({ record, wallet }: RecordingContext): Promise<void> {
  const body = {
    description: 'Name this project\n\nShort, and easy to say.',
    reward: '2000000',
    duration: 24,
    tags: ['naming'],
    mode: 'bounty',
    submissionVisibility: 'public',
  }
  const creation = await record('createTask', { payer: 'requester', body })
  await record('getIntent', { query: { idempotencyKey: creation.key }, as: 'requester' })
  const params = { taskId: hexAt(creation.body, 'taskId') }
  await record('updateTask', { params, payer: 'requester', body: { reward: '3000000', tags: ['naming', 'writing'] } })
  const evaluator = wallet('evaluator').address
  const terms = { evaluator, evaluatorFeeBps: 500, evaluationWindowHours: 24, appealWindowHours: 24 }
  const disputeResolver = wallet('resolver').address
  await record('assignEvaluator', { params, payer: 'requester', body: { ...terms, disputeResolver } })
  await record('cancelTask', { params, payer: 'requester' })
}
