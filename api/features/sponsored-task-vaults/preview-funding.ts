import { z } from 'zod'
import { sponsoredTasksHookAbi } from '../../../abis/sponsored-tasks-hook.ts'
import { fundingFailures, toFundingFailures } from '../../domain/sponsored/funding-failures.ts'
import { address } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { grossAmount, unknownVault, vaultParams } from './vault-parameters.ts'

/**
 * Checks whether a vault can fund a task. See the specification, "Sponsored-task vaults", and the interface
 * specification, "Sponsored vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa9be../preview-funding?managerAddress=0x976E..&grossAmount=2000000`
 * answers `{"ok": true, "failures": []}`.
 */
export const previewFunding = defineRoute({
  operationId: 'previewVaultFunding',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}/preview-funding',
  tag: 'sponsored-task vaults',
  summary: 'Check whether a vault can fund a task',
  description:
    'Read from the chain, not from the indexer. `HOOK_NOT_CONFIGURED`: this deployment has no hook of sponsored tasks, ' +
    'and so no vaults. An id that names no vault of a deployment with one is 404.',
  params: vaultParams,
  query: z.object({
    managerAddress: address.meta({ description: 'The requester of the task.' }),
    grossAmount,
  }),
  responses: {
    200: {
      description: 'Everything that would keep the task from being funded now, in a fixed order.',
      schema: z
        .object({ ok: z.boolean().meta({ description: 'Nothing would.' }), failures: z.array(z.enum(fundingFailures)) })
        .meta({ id: 'FundingPreview' }),
    },
    404: { description: 'No vault has this id.' },
  },
  handler: async ({ deployment, chain }, { params: { vaultId }, query }) => {
    const { sponsoredTasksHook } = deployment
    if (sponsoredTasksHook === undefined) return { ok: false, failures: ['HOOK_NOT_CONFIGURED'] }
    const problems = await chain.readContract({
      address: sponsoredTasksHook,
      abi: sponsoredTasksHookAbi,
      functionName: 'problemsOf',
      args: [vaultId, query.managerAddress, query.grossAmount],
    })
    const failures = toFundingFailures(problems)
    // The hook returns only this failure for a vault that is not the factory's.
    if (failures.includes('HOOK_NOT_CONFIGURED')) throw unknownVault(vaultId)
    return { ok: failures.length === 0, failures }
  },
})
