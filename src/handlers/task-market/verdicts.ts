import { ponder } from 'ponder:registry'
import { takeFrom } from '../../../protocol/rules/amounts.ts'
import { isContest, parseTaskMode } from '../../../protocol/rules/selectors.ts'
import { moveStatus, parseTaskStatus } from '../../../protocol/rules/task-status.ts'
import { findPrimaryWorker, toVerdict } from '../../../protocol/rules/verdict.ts'
import { evaluation } from '../../schema/evaluation.ts'
import { ensureAgent } from '../../store/agents.ts'
import { updateMarketStats } from '../../store/market.ts'
import { getTask, recordTaskEvent, type TaskPatch, type TaskRow } from '../../store/tasks.ts'
import { type DecidedAwards, insertVerdictAwards } from '../../store/verdict-awards.ts'

ponder.on('TaskMarket:VerdictIssued', async ({ event, context }) => {
  const { taskId, evaluator, score, confidence, evidenceHash, fee, awards } = event.args
  const row = await getTask(context.db, taskId)

  await context.db.update(evaluation, { taskId }).set({
    verdict: toVerdict(event.args.verdict),
    score,
    confidence,
    evidenceHash,
    fee,
    verdictAt: event.block.timestamp,
  })
  await insertVerdictAwards(context.db, taskId, { event, decidedBy: 'evaluator', awards })
  await ensureAgent(context.db, evaluator)
  await updateMarketStats(context.db, (stats) => ({ totalEscrow: takeFrom(stats.totalEscrow, fee) }))
  await recordTaskEvent(context.db, row, {
    event,
    name: 'VerdictIssued',
    subject: evaluator,
    amount: fee,
    patch: {
      status: moveStatus('VerdictIssued', parseTaskStatus(row.status), 'appealing'),
      escrow: takeFrom(row.escrow, fee),
      expiryTime: BigInt(event.args.expiryTime),
      appealDeadline: BigInt(event.args.appealDeadline),
      ...awardedWorkerPatch(row, awards, event.block.timestamp),
    },
  })
})

ponder.on('TaskMarket:VerdictAppealed', async ({ event, context }) => {
  const { taskId, worker, resolutionDeadline } = event.args
  const row = await getTask(context.db, taskId)
  const appeal = { appellant: worker, appealedAt: event.block.timestamp }
  await context.db.update(evaluation, { taskId }).set(appeal)
  await recordTaskEvent(context.db, row, {
    event,
    name: 'VerdictAppealed',
    subject: worker,
    patch: {
      status: moveStatus('VerdictAppealed', parseTaskStatus(row.status), 'disputed'),
      resolutionDeadline: BigInt(resolutionDeadline),
    },
  })
})

// The TaskCompleted or TaskCancelled after this event, or after DisputeResolved, ends the task.
ponder.on('TaskMarket:VerdictFinalized', async ({ event, context }) => {
  const { taskId } = event.args
  const row = await getTask(context.db, taskId)
  await context.db.update(evaluation, { taskId }).set({ finalizedAt: event.block.timestamp })
  await recordTaskEvent(context.db, row, { event, name: 'VerdictFinalized', subject: row.evaluator })
})

ponder.on('TaskMarket:DisputeResolved', async ({ event, context }) => {
  const { taskId, resolver, verdict, awards } = event.args
  const row = await getTask(context.db, taskId)
  const resolutionFields = { resolution: toVerdict(verdict), resolvedAt: event.block.timestamp }
  await context.db.update(evaluation, { taskId }).set(resolutionFields)
  await insertVerdictAwards(context.db, taskId, { event, decidedBy: 'resolver', awards })
  await ensureAgent(context.db, resolver)
  const patch = awardedWorkerPatch(row, awards, event.block.timestamp)
  await recordTaskEvent(context.db, row, { event, name: 'DisputeResolved', subject: resolver, patch })
})

/**
 * Returns the change of `task.worker` after a decision of the evaluator or the resolver. In a contest the new value is
 * the worker of the rank-1 award; null if no award has rank 1. In any other mode the result is empty.
 */
function awardedWorkerPatch(row: TaskRow, awards: DecidedAwards['awards'], now: bigint): TaskPatch {
  if (!isContest(parseTaskMode(row.mode))) return {}
  const worker = findPrimaryWorker(awards)
  return { worker, workerAssignedAt: worker === null ? null : now }
}
