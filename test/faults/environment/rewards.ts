import type { Hex } from 'viem'
import { type Actor, anActor } from '../../support/actors.ts'
import { openChainView } from '../../support/conformance-chain.ts'
import {
  aSponsoredTask,
  aVault,
  completeTask,
  type EntitlementReply,
  settleReward,
  type TestVault,
} from '../../support/sponsor.ts'
import type { Reached } from '../client/operations.ts'
import { pollUntil } from '../poll-until.ts'
import type { Environment } from './environment.ts'

/** What a task of `completeSponsoredTasks` pays its worker, and charges its vault, base units of USDC. */
const REWARD = 2_000_000n
const GROSS = 1_000_000n

/** Tasks of a new approved vault whose workers are paid, one each, without the service. No settlement is installed. */
export async function completeSponsoredTasks(
  environment: Pick<Environment, 'anvil' | 'deployment' | 'sql'>,
  workers: readonly Pick<Actor, 'address' | 'account'>[],
): Promise<{ vault: TestVault; taskIds: Hex[] }> {
  const { anvil, deployment, sql } = environment
  const chain = openChainView(anvil.url, deployment)
  const requester = anActor()
  await chain.fund(requester.address, REWARD * BigInt(workers.length))
  const vault = await aVault({ chain }, [requester])
  await sql`
    insert into service.vault_curation (vault_id, status, curator, signed_at)
    values (${vault.vaultId}, 'approved', ${vault.owner.address}, 1)`
  const taskIds: Hex[] = []
  for (const worker of workers) {
    const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: GROSS })
    await completeTask({ chain }, { taskId, requester, worker })
    taskIds.push(taskId)
  }
  return { vault, taskIds }
}

/** A reward that a worker can claim, and the entitlement to it as the service lists it. */
export async function makeReward(
  environment: Pick<Environment, 'anvil' | 'deployment' | 'sql'>,
  { worker, reach }: { worker: Pick<Actor, 'address' | 'account'>; reach: () => Promise<Reached> },
): Promise<{ vault: TestVault; entitlement: EntitlementReply }> {
  const { vault, taskIds } = await completeSponsoredTasks(environment, [worker])
  const [taskId] = taskIds
  if (taskId === undefined) throw new Error('no task was made')
  const chain = openChainView(environment.anvil.url, environment.deployment)
  await settleReward({ chain }, taskId, [[worker, REWARD]])
  const path = `/api/sponsored-task-vaults/${vault.vaultId}/entitlements?workerAddress=${worker.address}`
  const entitlement = await pollUntil('the reward is listed', async () => {
    const { url, fetch } = await reach()
    const answer = await fetch(`${url}${path}`)
    return answer.ok ? (((await answer.json()) as EntitlementReply[])[0] ?? null) : null
  })
  return { vault, entitlement }
}
