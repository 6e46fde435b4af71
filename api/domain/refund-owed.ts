/**
 * The state of a payment authorization on chain.
 * - `unused`: the authorization's nonce is unused, so nothing was charged.
 * - `arrived`: the payment arrived at the forwarder, which has not spent it.
 * - `spent_on_call`: the forwarder spent the payment on a call. The write in question had no effect, so this was
 * another call.
 * - `refunded`: the forwarder has returned the payment.
 * - `cancelled`: the payer cancelled the authorization.
 * - `elsewhere`: the authorization paid another account than the forwarder.
 * - `unproven`: the nonce was used in another way, such as to pay another amount to the forwarder.
 * - `unseen`: the nonce is used, but the node returns no event about it, because the node is behind the chain.
 */
export type AuthorizationUse =
  | 'unused'
  | 'arrived'
  | 'spent_on_call'
  | 'refunded'
  | 'cancelled'
  | 'elsewhere'
  | 'unproven'
  | 'unseen'

/** The decision about a refund. `review`: an operator decides. `unknown`: no decision is possible now. */
export type RefundOwed = 'refund' | 'none' | 'review' | 'unknown'

const OWED: Readonly<Record<AuthorizationUse, RefundOwed>> = {
  unused: 'none',
  arrived: 'refund',
  spent_on_call: 'review',
  // The refund is recorded as owed; the existing one is detected before another is sent.
  refunded: 'refund',
  cancelled: 'none',
  elsewhere: 'none',
  unproven: 'review',
  unseen: 'unknown',
}

/**
 * Returns the refund decision for a write that had no effect (docs/internals/failure-modes.md). Every refund is decided
 * here: for a reverted call, for the payment of a failed write, and for a payment without a write.
 * @param canStillAct true if the write can still be relayed with a payment that arrived
 * @param isBound true if the payment is bound to one call: only the forwarder can submit the payment, together with
 * that call, so that no refund can be owed. Any other use of the nonce then belongs to another authorization of the
 * payer
 */
export function refundOwed(
  use: AuthorizationUse,
  { canStillAct, isBound = false }: { canStillAct: boolean; isBound?: boolean },
): RefundOwed {
  if (isBound) return use === 'spent_on_call' || use === 'unseen' ? OWED[use] : 'none'
  return use === 'arrived' && canStillAct ? 'none' : OWED[use]
}
