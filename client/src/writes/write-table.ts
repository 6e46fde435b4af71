import { nothing } from '../../../protocol/decisions.ts'
import type { FactName } from '../../../protocol/operation.ts'
import { operations } from '../../../protocol/operations.ts'
import { isForwarded } from '../../../protocol/relay.ts'
import { type WriteName, writeNames } from '../api/write-names.ts'
import { buildBoundOnly } from './build-bound-only.ts'
import { buildTokenWithdrawal, buildVaultClaim, buildWithdrawal } from './build-withdrawals.ts'
import type { Operation, WriteSpec } from './write-spec.ts'

/**
 * Withdrawals name their receiver by the wallet's configuration, and a switch its counter; they sign what the document calls
 * their body.
 */
const builders: Partial<Record<WriteName, WriteSpec['build']>> = {
  withdraw: buildWithdrawal,
  withdrawToken: buildTokenWithdrawal,
  claimSponsoredReward: buildVaultClaim,
  setBoundOnly: buildBoundOnly,
}

/** Facts of the task that a write is about, without which its price and its decisions are not known. */
const standing: readonly FactName[] = ['reward', 'requester', 'stake', 'claimRound']

/** Every write, by the table of operations. */
export const writes: { readonly [Name in WriteName]: WriteSpec } = specsOf(
  // The engine gives each function only what others of the same entry returned: their types end here.
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
    needsTask: facts.some((name) => standing.includes(name)),
    decidesReward: isForwarded(kind) && decides !== nothing,
    isWithdrawal: kind === 'transfer' || kind === 'claim',
    ...(build && { build }),
  }
}
