import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** A worker's claim of a reward from a vault, which the service accepted and which is not mined yet. */
export interface ClaimInFlight {
  intentId: string
  taskId: Hex
  amount: bigint
  nonce: bigint
  status: 'recorded' | 'broadcast'
}

/**
 * Lists the worker's claims from a vault that are being relayed, in the order of their nonces. Normally the list has at
 * most one claim: while a claim of the worker from this vault is being relayed, the service refuses the next claim.
 */
export async function listClaimsInFlight(
  sql: Queryable,
  { vault, worker }: { vault: Address; worker: Address },
): Promise<ClaimInFlight[]> {
  return await sql<ClaimInFlight[]>`
    select id as intent_id, facts->>'taskId' as task_id, payment_value as amount,
      (facts->>'nonce')::numeric as nonce, status
    from service.intents
    where payment_asset = ${vault} and initiator = ${worker} and payment_nonce is not null
      and kind = 'claim' and status in ('recorded', 'broadcast')
    order by nonce`
}
