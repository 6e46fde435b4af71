import { nothing } from '../../../protocol/decisions.ts'
import type { FactName } from '../../../protocol/operation.ts'
import { operations } from '../../../protocol/operations.ts'
import { isForwarded } from '../../../protocol/relay.ts'
import { type WriteName, writeNames } from '../api/write-names.ts'
import { buildBoundOnly } from './build-bound-only.ts'
import { buildTokenWithdrawal, buildVaultClaim, buildWithdrawal } from './build-withdrawals.ts'
import type { Operation, WriteSpec } from './write-spec.ts'

/**
 * Functions that build the requests of writes whose arguments differ from the documented request body. A withdrawal
 * takes its receiver from the wallet's configuration. The bound-only switch takes its counter from the service.
 */
const builders: Partial<Record<WriteName, WriteSpec['build']>> = {
  withdraw: buildWithdrawal,
  withdrawToken: buildTokenWithdrawal,
  claimSponsoredReward: buildVaultClaim,
  setBoundOnly: buildBoundOnly,
}

/** The facts of the task that determine a write's price and amounts. */
const taskFactNames: readonly FactName[] = ['reward', 'requester', 'stake', 'claimRound']

/** All writes by operation id, built from the protocol's table of operations. */
export const writes: { readonly [Name in WriteName]: WriteSpec } = specsOf(
  // Each function of an entry takes only results of the same entry, so this cast is safe.
  Object.values(operations) as unknown as readonly Operation[],
)

function specsOf(table: readonly Operation[]): { readonly [Name in WriteName]: WriteSpec } {
  const byId = new Map(table.map((operation) => [operation.operationId, specOf(operation)]))
  const rows = writeNames.map((name) => [name, byId.get(name)])
  return Object.fromEntries(rows)
}

function specOf(operation: Operation): WriteSpec {
  const { operationId, path, kind, modes = [], facts, decides } = operation
  const build = builders[operationId as WriteName]
  return {
    operation,
    path: `/api${path}`,
    isFree: modes.some((mode) => mode !== 'paid') || !isForwarded(kind),
    needsTask: facts.some((name) => taskFactNames.includes(name)),
    decidesReward: isForwarded(kind) && decides !== nothing,
    isWithdrawal: kind === 'transfer' || kind === 'claim',
    ...(build && { build }),
  }
}
