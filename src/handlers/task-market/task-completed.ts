import { ponder } from 'ponder:registry'
import { takeFrom } from '../../../protocol/rules/amounts.ts'
import { toAwardedDeliverable } from '../../../protocol/rules/awarded-deliverable.ts'
import { toTaskWorkerId } from '../../../protocol/rules/row-ids.ts'
import { moveStatus, parseTaskStatus } from '../../../protocol/rules/task-status.ts'
import { award } from '../../schema/settlement.ts'
import { submission, taskEntry } from '../../schema/submission.ts'
import { countSkills } from '../../store/agent-skills.ts'
import { rememberAward, updateAgent } from '../../store/agents.ts'
import { positionOf } from '../../store/event-position.ts'
import { updateMarketStats } from '../../store/market.ts'
import { getTaskEntry } from '../../store/task-entries.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskCompleted', async ({ event, context }) => {
  const { taskId, worker, rank, grossAmount, workerPayment, platformFee, selfAward } = event.args
  const row = await getTask(context.db, taskId)
  const entry = await getTaskEntry(context.db, taskId, worker)
  const lastSubmissionId = entry.lastSubmissionId
  const latestSubmission =
    lastSubmissionId === null ? null : await context.db.find(submission, { id: lastSubmissionId })

  await context.db.insert(award).values({
    id: toTaskWorkerId(taskId, worker),
    taskId,
    worker,
    taskCreatedAtMs: row.createdAtMs,
    rank,
    grossAmount,
    workerPayment,
    platformFee,
    deliverable: toAwardedDeliverable(event.args.deliverable, latestSubmission?.deliverable ?? null),
    selfAward,
    settledAt: event.block.timestamp,
    rating: null,
    ratedAt: null,
    ...positionOf(event),
  })
  await context.db.update(taskEntry, { id: entry.id }).set({ awarded: true })
  // A requester that awards itself gains no record as a worker.
  if (!selfAward) {
    const isNewRequester = await rememberAward(context.db, row.requester, worker)
    await updateAgent(context.db, worker, (agent) => ({
      completedTasks: agent.completedTasks + 1,
      distinctRequesters: agent.distinctRequesters + (isNewRequester ? 1 : 0),
      totalEarnings: agent.totalEarnings + workerPayment,
    }))
  }
  // No list shows the earnings and skills of unlisted tasks.
  const isShown = row.listed && !selfAward
  if (isShown) await countSkills(context.db, worker, row.tagHashes)
  await updateMarketStats(context.db, (stats) => ({
    totalEscrow: takeFrom(stats.totalEscrow, grossAmount),
    totalWorkerPayments: stats.totalWorkerPayments + workerPayment,
    totalPlatformFees: stats.totalPlatformFees + platformFee,
    listedEarnings: stats.listedEarnings + (isShown ? workerPayment : 0n),
  }))
  await recordTaskEvent(context.db, row, {
    event,
    name: 'TaskCompleted',
    subject: worker,
    patch: {
      status: moveStatus('TaskCompleted', parseTaskStatus(row.status), 'completed'),
      escrow: takeFrom(row.escrow, grossAmount),
      awardCount: row.awardCount + 1,
      unratedAwards: row.unratedAwards + (selfAward ? 0 : 1),
      primaryWorker: rank === 1 ? worker : row.primaryWorker,
      selfAward: selfAward || row.selfAward === true,
      endedAt: event.block.timestamp,
    },
  })
})
