import { ponder } from 'ponder:registry'
import { countEnding, hasUndeliveredEntry, toReputationKind } from '../../../protocol/rules/reputation.ts'
import { updateAgent } from '../../store/agents.ts'
import { getTask, recordTaskEvent } from '../../store/tasks.ts'

ponder.on('TaskMarket:RequesterReputation', async ({ event, context }) => {
  const { taskId, requester, selfAward } = event.args
  const row = await getTask(context.db, taskId)
  const kind = toReputationKind(event.args.kind)
  const isUndeliveredAuction = hasUndeliveredEntry(kind, row)
  await updateAgent(context.db, requester, (agent) => countEnding(agent, { kind, selfAward, isUndeliveredAuction }))
  await recordTaskEvent(context.db, row, { event, name: 'RequesterReputation', subject: requester })
})
