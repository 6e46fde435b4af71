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

/** What the task pays its worker, and charges its vault, base units of USDC. */
const REWARD = 2_000_000n
const GROSS = 1_000_000n

/** A reward of a new approved vault that a worker can claim, and the entitlement to it as the service lists it. */
export async function makeReward(
  { anvil, deployment, sql }: Pick<Environment, 'anvil' | 'deployment' | 'sql'>,
  { worker, reach }: { worker: Pick<Actor, 'address' | 'account'>; reach: () => Promise<Reached> },
): Promise<{ vault: TestVault; entitlement: EntitlementReply }> {
  const chain = openChainView(anvil.url, deployment)
  const requester = anActor()
  await chain.fund(requester.address, REWARD)
  const vault = await aVault({ chain }, [requester])
  await sql`
    insert into service.vault_curation (vault_id, status, curator, signed_at)
    values (${vault.vaultId}, 'approved', ${vault.owner.address}, 1)`
  const taskId = await aSponsoredTask({ chain }, { vault, requester, gross: GROSS })
  await completeTask({ chain }, { taskId, requester, worker })
  await settleReward({ chain }, taskId, [[worker, REWARD]])
  const path = `/api/sponsored-task-vaults/${vault.vaultId}/entitlements?workerAddress=${worker.address}`
  const entitlement = await pollUntil('the reward is listed', async () => {
    const { url, fetch } = await reach()
    const answer = await fetch(`${url}${path}`)
    return answer.ok ? (((await answer.json()) as EntitlementReply[])[0] ?? null) : null
  })
  return { vault, entitlement }
}
