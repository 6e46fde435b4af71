import type { Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { ReadIntent } from './outbox.queries.ts'

/**
 * Stores a newer signature of the payer for a refund that is pending or left to an operator. If the refund is left to
 * an operator, the first newer signature makes it pending for one more attempt, due at once. If the refund is pending
 * and no attempt has failed, it becomes due at once. If an attempt of the pending refund has failed, the pause before
 * the next attempt stays. A row that the relayer has locked is not changed.
 * @param firstAttempts the value of `refund_attempts_left` before the first attempt
 * @returns the refund's new status; null when nothing was stored
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
