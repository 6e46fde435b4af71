import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** The curation statuses of a vault. A vault without a decision is `unverified`. */
export const curationStatuses = ['approved', 'rejected', 'unverified'] as const
export type CurationStatus = (typeof curationStatuses)[number]

/** A curator's signed decision about a vault. `timestamp` is the time in the signature, in Unix seconds. */
export interface CurationDecision {
  vaultId: Hex
  status: CurationStatus
  curator: Address
  timestamp: bigint
}

/**
 * Stores a decision if it is later than the vault's last decision.
 * @returns false if a decision with the same or a later time exists; nothing is changed then
 */
export async function setCurationStatus(
  sql: Queryable,
  { vaultId, status, curator, timestamp }: CurationDecision,
): Promise<boolean> {
  const rows = await sql`
    insert into service.vault_curation as c (vault_id, status, curator, signed_at)
    values (${vaultId}, ${status}, ${curator}, ${timestamp})
    on conflict (vault_id) do update set
      status = excluded.status, curator = excluded.curator, signed_at = excluded.signed_at, updated_at = now()
    where c.signed_at < excluded.signed_at
    returning vault_id`
  return rows.length === 1
}
