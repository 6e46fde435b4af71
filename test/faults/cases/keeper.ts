import { type Hex, parseEventLogs } from 'viem'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import type { Failpoint } from '../../../api/failpoint.ts'
import { anActor } from '../../support/actors.ts'
import { completeSponsoredTasks } from '../environment/rewards.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { describe, topologies } from '../inject/steps.ts'

/** What the keeper passes on its way, and the relay with its write. */
const points: readonly Failpoint[] = [
  'after-keeper-claim',
  'before-bind-commit',
  'after-bind',
  'after-sign',
  'after-send',
  'after-mined',
  'before-complete-commit',
]
/** Tasks whose rewards wait for the keeper at one time. */
const TASKS = 3
const settings = { KEEPER_INTERVAL_MS: '200' }

/** Rewards of an approved vault wait; the keeper's process ends, or is paused, at a point. Each is settled once. */
export const faultCases: readonly FaultCase[] = [
  ...points.flatMap((point) =>
    topologies.map((topology): FaultCase => {
      const name = `keeper: killed ${point}, ${describe(topology)}`
      return {
        name,
        topology,
        short: false,
        fewest: 1,
        settings,
        run: (context) => interrupt(context, `${point}:kill`),
      }
    }),
  ),
  {
    name: 'keeper: paused after-keeper-claim',
    topology: 2,
    short: false,
    fewest: 1,
    settings,
    run: (context) => interrupt(context, 'after-keeper-claim:stop'),
  },
  {
    name: 'keeper: two processes settle at once',
    topology: 2,
    short: false,
    settings,
    run: async (context) => {
      const taskIds = await completeTasks(context)
      await expectSettled(context, taskIds)
    },
  },
]

async function interrupt(context: FaultCaseContext, failpoint: string): Promise<void> {
  const [victim, other] = context.replicas
  if (victim === undefined) throw new Error('a fault case has a process')
  await victim.stop()
  if (other?.state === 'up') await other.stop()
  // With tasks to settle it would end while it starts.
  await victim.start({ ...settings, FAILPOINT: failpoint })
  const taskIds = await completeTasks(context)
  const isKilled = failpoint.endsWith(':kill')
  await (isKilled ? victim.untilDead() : victim.untilPaused())
  const repairedAt = performance.now()
  if (other === undefined) await victim.start(settings)
  else await other.start(settings)
  // A try without a write is made again after a minute.
  await context.environment.sql`update service.keeper_calls set claimed_at = claimed_at - interval '2 minutes'`
  await expectSettled(context, taskIds)
  context.noteRecovery(performance.now() - repairedAt)
  if (other === undefined) return
  if (isKilled) await victim.start(settings)
  else victim.resume()
  await expectSettled(context, await completeTasks(context))
}

async function completeTasks({ environment }: FaultCaseContext): Promise<Hex[]> {
  const workers = Array.from({ length: TASKS }, () => anActor())
  return (await completeSponsoredTasks(environment, workers)).taskIds
}

/** @throws when a settlement is missing at the deadline, or was recorded in two writes that succeeded */
async function expectSettled(context: FaultCaseContext, taskIds: readonly Hex[]): Promise<void> {
  const { client, sql } = context.environment
  await context.until('the rewards to be settled', async () => {
    const logs = await client.getLogs({ fromBlock: 0n })
    const settled = parseEventLogs({ abi: sponsoredVaultAbi, logs, eventName: 'SettlementInstalled' })
    return taskIds.every((taskId) => settled.some(({ args }) => args.taskId === taskId))
  })
  await context.quiesce()
  const writes = await sql<{ taskId: Hex; count: number }[]>`
    select call.task_id as "taskId", count(*)::int as count
    from service.keeper_calls call join service.intents intent on intent.id = call.intent_id
    where call.task_id in ${sql(taskIds)} and intent.status = 'completed' group by call.task_id`
  const isOnce = writes.length === taskIds.length && writes.every(({ count }) => count === 1)
  if (!isOnce) throw new Error(`settlements were not one write each: ${JSON.stringify(writes)}`)
}
