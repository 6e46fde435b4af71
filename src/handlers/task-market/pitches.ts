import { ponder } from 'ponder:registry'
import { toPitchId } from '../../../protocol/rules/row-ids.ts'
import { pitch } from '../../schema/pitch.ts'
import { ensureAgent } from '../../store/agents.ts'
import { positionOf } from '../../store/event-position.ts'
import { enterTask } from '../../store/task-entries.ts'
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
    // The market accepts the same pitch twice; the first row stays.
    .onConflictDoUpdate((first) => ({ anchorCount: first.anchorCount + 1 }))
  await enterTask(context.db, { entered: row, worker }, () => ({ pitched: true, listed: row.listed }))
  await ensureAgent(context.db, worker)
  await recordTaskEvent(context.db, row, {
    event,
    name: 'PitchSubmitted',
    subject: worker,
    patch: { pitchCount: row.pitchCount + 1 },
  })
})
