import { randomBytes, randomUUID } from 'node:crypto'
import { type Address, bytesToHex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { PaymentAuthorization } from '../payments/authorization.ts'
import type { Operation } from './operations.ts'
import { kindOf } from './operations.ts'

/** A payment whose money arrived in the forwarder and that funds no write. */
export interface OrphanedPayment {
  asset: Address
  forwarder: Address
  payment: PaymentAuthorization
  /** The operation whose request presented the payment. */
  operation: Operation
  /** The first block of the search for the transaction that used the payment on chain. */
  fromBlock: bigint
}

/** The failure reason of the write that represents an orphaned payment. */
export const ORPHAN_REASON = 'the authorization was settled outside this service before it funded a write'

/**
 * Records an orphaned payment as a failed write with a pending refund. The row's unique nonce ensures that the payment
 * is refunded once and funds no write.
 */
export async function recordOrphanedPayment(sql: Queryable, orphan: OrphanedPayment): Promise<void> {
  const { asset, forwarder, payment, operation, fromBlock } = orphan
  const id = randomUUID()
  await sql`
    insert into intents (id, idempotency_key, operation, fingerprint, status, kind, relay_mode, chain_intent_id,
      initiator, target, calldata, escrow_amount, payment_asset, payment_nonce, payment_value, payment_valid_after,
      payment_valid_before, payment_signature, facts, bound_at_block, terminal_reason, failure, refund_status)
    values (${id}, ${randomUUID()}, ${operation}, ${Buffer.alloc(32)}, 'failed', ${kindOf(operation)}, 'paid',
      ${bytesToHex(randomBytes(32))}, ${payment.from}, ${forwarder}, '0x', 0, ${asset}, ${payment.nonce}, ${payment.value.toString()}::numeric,
      ${payment.validAfter.toString()}::numeric, ${payment.validBefore.toString()}::numeric, ${payment.signature},
      ${sql.json({ stray: 'true' })}, ${fromBlock}, ${ORPHAN_REASON}, ${ORPHAN_REASON}, 'pending')
    on conflict (payment_asset, initiator, payment_nonce) where payment_nonce is not null do nothing`
}
