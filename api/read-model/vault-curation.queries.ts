import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** The curation of a vault; unverified without a decision. */
export const curationStatuses = ['approved', 'rejected', 'unverified'] as const
export type CurationStatus = (typeof curationStatuses)[number]

/** A signed decision. `timestamp` is the signed time, Unix seconds. */
export interface CurationDecision {
  vaultId: Hex
  status: CurationStatus
  curator: Address
  timestamp: bigint
}

/**
 * Stores a decision that is newer than the last one about this vault.
 * @returns false when one of this time or later exists: nothing changed
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
