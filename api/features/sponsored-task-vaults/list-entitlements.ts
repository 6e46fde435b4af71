import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import type { ClaimTree } from '../../domain/sponsored/claim-proofs.ts'
import { endPage, nextPageHeaders } from '../../http/next-page.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, toAddress, toAmount } from '../../http/response-schemas.ts'
import { listOpenSettlements, type SettlementRow } from '../../read-model/vaults.queries.ts'
import { defineRoute } from '../define-route.ts'
import { findClaimTree } from './claim-trees.ts'
import { getVaultOrThrow } from './vault-of-path.ts'
import { vaultParams } from './vault-parameters.ts'

const MAX_TASKS = 100
const DEFAULT_TASKS = 50

const entitlementOut = z
  .object({
    vaultId: hashOut,
    taskId: hashOut,
    allocationId: hashOut.meta({ description: 'Equals `taskId`.' }),
    epoch: z.int(),
    index: z.int().meta({ description: 'Position among the awards of the task, from 0.' }),
    worker: addressOut,
    amount: amountOut.meta({ description: 'Without the platform fee, base units of the vault’s token.' }),
    proof: z.array(hashOut),
  })
  .meta({ id: 'Entitlement' })

type Entitlement = z.output<typeof entitlementOut>

/**
 * Lists the rewards that a worker can claim from a vault. See the specification, "Sponsored-task vaults".
 *
 * Example: `GET /api/sponsored-task-vaults/0xa9be../entitlements?workerAddress=0x14dC..` answers `[{"vaultId":
 * "0xa9be..", "taskId": "0x7c70..", ..}]`.
 */
export const listEntitlements = defineRoute({
  operationId: 'listEntitlements',
  method: 'get',
  path: '/sponsored-task-vaults/{vaultId}/entitlements',
  tag: 'sponsored-task vaults',
  summary: 'List what a worker can claim from a vault',
  description:
    'Leaves of installed settlements that are not paid, with the proofs that a claim needs. What is paid, and whether ' +
    'the vault is exited, is read from the chain. At most `limit` tasks; `Link` tells where the list goes on.',
  params: vaultParams,
  query: z.object({
    workerAddress: address,
    taskId: bytes32.optional(),
    limit: queryIntegerOr(DEFAULT_TASKS, { min: 1, max: MAX_TASKS }).meta({ description: 'Tasks.' }),
    after: bytes32.optional().meta({ description: 'A task id of an earlier page.' }),
  }),
  responses: {
    200: {
      description: 'In the order of task ids; `[]` when there is none, or the vault was exited.',
      schema: z.array(entitlementOut),
      headers: nextPageHeaders,
    },
    404: { description: 'No vault has this id.' },
  },
  handler: async (deps, { params: { vaultId }, query }, c) => {
    const { workerAddress: worker, taskId, after, limit } = query
    const { vault, epoch } = await getVaultOrThrow(deps.sql, vaultId)
    const rows = await listOpenSettlements(deps.sql, { vaultId, epoch, worker }, { taskId, after, limit: limit + 1 })
    const path = `/sponsored-task-vaults/${vaultId}/entitlements`
    const page = endPage(c, deps, { rows, idOf: (row) => row.taskId, source: { path, query } })
    if (page.length === 0) return []
    const [presentEpoch, ...paidAmounts] = await deps.chain.readContracts([
      { address: vault, abi: sponsoredVaultAbi, functionName: 'epoch' },
      ...page.map((row) => ({
        address: vault,
        abi: sponsoredVaultAbi,
        functionName: 'paidOf' as const,
        args: [row.taskId] as const,
      })),
    ])
    // An exit begins another epoch, in which no charge of this one is paid.
    if (presentEpoch !== BigInt(epoch)) return []
    const entitlements: Entitlement[] = []
    for (const [position, row] of page.entries()) {
      const tree = await findClaimTree(vaultId, row)
      entitlements.push(...entitlementsOf(row, { vaultId, worker, tree, paid: BigInt(paidAmounts[position] ?? 0) }))
    }
    return entitlements
  },
})

/**
 * Returns the worker's entitlements in one settlement. An entitlement is an award that the vault has not paid yet and
 * that the worker can claim.
 * @param paid a bit set from the vault: bit i is 1 if the award of index i is paid
 */
function entitlementsOf(
  { taskId, epoch, leaves }: SettlementRow,
  { vaultId, worker, tree, paid }: { vaultId: Hex; worker: Address; tree: ClaimTree; paid: bigint },
): Entitlement[] {
  return leaves.flatMap((leaf, position) => {
    const isPaid = ((paid >> BigInt(leaf.index)) & 1n) === 1n
    if (leaf.worker !== worker || isPaid) return []
    return [
      {
        vaultId,
        taskId,
        allocationId: taskId,
        epoch,
        index: leaf.index,
        worker: toAddress(worker),
        amount: toAmount(leaf.amount),
        proof: tree.proofOf(position),
      },
    ]
  })
}
