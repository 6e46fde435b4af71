import { ponder } from 'ponder:registry'
import { toPitchId } from '../../../protocol/rules/row-ids.ts'
import { pitch } from '../../schema/pitch.ts'
import { taskEntry } from '../../schema/submission.ts'
import { ensureAgent } from '../../store/agents.ts'
import { positionOf } from '../../store/event-position.ts'
import { ensureTaskEntry } from '../../store/task-entries.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:PitchSubmitted', async ({ event, context }) => {
  const { taskId, worker, pitchHash, pitchIndex } = event.args
  const row = await getTask(context.db, taskId)

  await context.db
    .insert(pitch)
    .values({
      id: toPitchId(taskId, { worker, pitchHash }),
      taskId,
      worker,
      pitchHash,
      pitchIndex,
      anchorCount: 1,
      submittedAt: event.block.timestamp,
      ...positionOf(event),
    })
    // The market takes the same pitch twice: the first row stays.
    .onConflictDoUpdate((first) => ({ anchorCount: first.anchorCount + 1 }))
  const entry = await ensureTaskEntry(context.db, row, worker)
  await context.db.update(taskEntry, { id: entry.id }).set({ pitched: true, listed: row.listed })
  await ensureAgent(context.db, worker)
  await recordTaskEvent(context.db, row, {
    event,
    name: 'PitchSubmitted',
    subject: worker,
    patch: { pitchCount: row.pitchCount + 1 },
  })
})
