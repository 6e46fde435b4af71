import { ponder } from 'ponder:registry'
import { toProofType } from '../../../protocol/rules/proof-type.ts'
import { toProofId } from '../../../protocol/rules/row-ids.ts'
import { proof } from '../../schema/proof.ts'
import { positionOf } from '../../store/event-position.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

// The submission of the proof follows in a TaskSubmitted of its own.
ponder.on('TaskMarket:ProofSubmitted', async ({ event, context }) => {
  const { taskId, worker, proofHash, metricValue, proofIndex } = event.args
  const row = await getTask(context.db, taskId)
  await context.db.insert(proof).values({
    id: toProofId(taskId, { worker, proofHash }),
    taskId,
    worker,
    proofHash,
    proofType: toProofType(event.args.proofType),
    metricValue,
    proofIndex,
    submittedAt: event.block.timestamp,
    ...positionOf(event),
  })
  await recordTaskEvent(context.db, row, {
    event,
    name: 'ProofSubmitted',
    subject: worker,
    patch: { proofCount: row.proofCount + 1 },
  })
})
