import type { Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { ReadIntent } from './outbox.queries.ts'

/**
 * Stores a newer signature for a refund that waits, or is left to an operator; the latter gets one attempt with it, and
 * none with another. A refund that the relayer works on, or which was tried, waits until it is due.
 * @param firstAttempts the value of `refund_attempts_left` before the first attempt
 * @returns the refund's status now; null when nothing was stored
 */
export async function renewRefundSignature(
  sql: Queryable,
  { id, version }: ReadIntent,
  { signature, firstAttempts }: { signature: Hex; firstAttempts: number },
): Promise<'pending' | 'failed' | null> {
  const [row] = await sql<{ refundStatus: 'pending' | 'failed' }[]>`
    with locked as (
      select id, refund_status = 'failed' and not refund_renewed as is_taken_up from intents
      where id = ${id} and version = ${version} and refund_status in ('pending', 'failed')
        and refund_signature is distinct from ${signature}
      for update skip locked
    )
    update intents i set
      refund_signature = ${signature},
      refund_renewed = i.refund_renewed or locked.is_taken_up,
      refund_status = case when locked.is_taken_up then 'pending' else i.refund_status end,
      refund_attempts_left = case when locked.is_taken_up then 1 else i.refund_attempts_left end,
      refund_finding = case when locked.is_taken_up then null else i.refund_finding end,
      refund_failed_at = case when locked.is_taken_up then null else i.refund_failed_at end,
      relay_after = case
        when locked.is_taken_up or i.refund_attempts_left = ${firstAttempts} then now() else i.relay_after end
    from locked where i.id = locked.id
    returning i.refund_status`
  return row?.refundStatus ?? null
}
