import { reconcileVault, settleVault } from '../../protocol/own-operations.ts'
import { refuse } from '../domain/refusal.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { MinedWrite } from '../intents/write-result.ts'
import { bindOwnWrite } from '../writes/bind-own-write.ts'
import type { WriteDeps } from '../writes/write-deps.ts'
import { claimCalls, type KeeperCall, type KeeperStep, listAwards, recordCall } from './keeper-calls.queries.ts'

/** The contract call of each step of the keeper. Neither call decides the amount that a worker earns. */
const steps = { reconcile: reconcileVault, settle: settleVault } as const satisfies Record<KeeperStep, unknown>

/** The keeper's writes for the relayer. No HTTP request can make them. */
export const keeperWrites = Object.values(steps).map(({ name }) => ({
  operation: name,
  result: ({ txHash }: MinedWrite) => ({ body: { txHash } }),
}))

/**
 * Runs one cycle of the keeper. It reports ended tasks to vaults, and opens the claims of credited rewards. The
 * contracts verify the awards, so an absent keeper only causes a delay.
 * @returns the pause until the next cycle, in milliseconds
 * @throws an error if the node or the database does not answer, or if no relayer has funds
 */
export async function settleRewards(deps: WriteDeps, stopping: AbortSignal): Promise<number> {
  const { config, deployment } = deps
  if (deployment.sponsoredTasksHook !== undefined) {
    const calls = await claimCalls(deps.sql, { dailyLimit: config.UNAPPROVED_SETTLEMENTS_PER_DAY })
    for (const call of calls) {
      if (stopping.aborted) break
      await makeCall(deps, call)
    }
  }
  return config.KEEPER_INTERVAL_MS
}

async function makeCall(deps: WriteDeps, { id, vaultId, taskId, step }: KeeperCall): Promise<void> {
  const { name: operation, call } = steps[step]
  try {
    const intentId = await bindOwnWrite(deps, {
      operation,
      ...call({ taskId, ...(await listAwards(deps.sql, taskId)) }, deps.deployment),
      requestId: `keeper-${id}`,
      guard: async (tx, intentId) =>
        (await recordCall(tx, { id, intentId }))
          ? null
          : refuse(409, 'call_expired', 'The call was claimed too long ago.'),
    })
    deps.log.info({ vaultId, taskId, operation, intentId }, 'keeper write recorded')
  } catch (error) {
    const isOfThisCall = error instanceof ServiceError && error.status === 409
    if (!isOfThisCall) throw error
    deps.log.warn({ err: error, vaultId, taskId, operation }, 'keeper write refused')
  }
}
