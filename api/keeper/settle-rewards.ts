import { type Address, encodeFunctionData, type Hex } from 'viem'
import { sponsoredTasksHookAbi } from '../../abis/sponsored-tasks-hook.ts'
import { refuse } from '../domain/refusal.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { Operation } from '../intents/operations.ts'
import type { MinedWrite } from '../intents/write-result.ts'
import { bindOwnWrite } from '../writes/bind-own-write.ts'
import type { WriteDeps } from '../writes/write-deps.ts'
import { claimCalls, type KeeperCall, type KeeperStep, listAwards, recordCall } from './keeper-calls.queries.ts'

/** The function of the hook that a step calls, and the operation of its intent. Neither decides what a worker earns. */
const steps: Readonly<Record<KeeperStep, { operation: Operation; functionName: 'reconcile' | 'installSettlement' }>> = {
  reconcile: { operation: 'sponsoredTaskVaults.reconcile', functionName: 'reconcile' },
  settle: { operation: 'sponsoredTaskVaults.settle', functionName: 'installSettlement' },
}

/** The keeper's writes, in the form that the relayer uses: no request makes them. */
export const keeperWrites = Object.values(steps).map(({ operation }) => ({
  operation,
  result: ({ txHash }: MinedWrite) => ({ body: { txHash } }),
}))

/**
 * One cycle of the keeper: reports to vaults the endings that did not reach them, and opens the claims of credited rewards. Both
 * are calls that any account may make; the contracts compare the awards with what the market has, so that a keeper that is
 * wrong or absent costs time and nothing else. A charge whose call is refused is passed over.
 * @returns the pause until the next cycle, milliseconds
 * @throws when the node or the database does not answer, or no relayer has funds
 */
export async function settleRewards(deps: WriteDeps, stopping: AbortSignal): Promise<number> {
  const { config, deployment } = deps
  const hook = deployment.sponsoredTasksHook
  if (hook !== undefined) {
    const calls = await claimCalls(deps.sql, { dailyLimit: config.UNAPPROVED_SETTLEMENTS_PER_DAY })
    if (calls.length > 0) deps.reach('after-keeper-claim')
    for (const call of calls) {
      if (stopping.aborted) break
      await makeCall(deps, { hook, call })
    }
  }
  return config.KEEPER_INTERVAL_MS
}

async function makeCall(deps: WriteDeps, { hook, call }: { hook: Address; call: KeeperCall }): Promise<void> {
  const { id, vaultId, taskId, step } = call
  const { operation } = steps[step]
  try {
    const intentId = await bindOwnWrite(deps, {
      operation,
      target: hook,
      data: await encodeStep(deps, call),
      requestId: `keeper-${id}`,
      guard: async (tx, intentId) =>
        (await recordCall(tx, { id, intentId }))
          ? null
          : refuse(409, 'call_expired', 'The call was claimed too long ago.'),
    })
    deps.log.info({ vaultId, taskId, operation, intentId }, 'the keeper recorded a write')
  } catch (error) {
    const isOfThisCall = error instanceof ServiceError && error.status === 409
    if (!isOfThisCall) throw error
    deps.log.warn({ err: error, vaultId, taskId, operation }, 'a write of the keeper was refused')
  }
}

async function encodeStep({ sql }: Pick<WriteDeps, 'sql'>, { step, taskId }: KeeperCall): Promise<Hex> {
  const { workers, amounts } = await listAwards(sql, taskId)
  const { functionName } = steps[step]
  return encodeFunctionData({ abi: sponsoredTasksHookAbi, functionName, args: [taskId, workers, amounts] })
}
