/**
 * The state of a payment authorization on chain.
 * - `unused`: the authorization's nonce is unused, so nothing was charged.
 * - `arrived`: the forwarder has received the payment and not spent it.
 * - `spent_on_call`: the forwarder spent the payment on a call, but not on the call of the failed write.
 * - `refunded`: the forwarder has returned the payment.
 * - `cancelled`: the payer cancelled the authorization.
 * - `elsewhere`: the authorization paid an account that is not the forwarder.
 * - `unproven`: the nonce was used in another way, for example to pay a different amount to the forwarder.
 * - `unseen`: the nonce is used, but the node is behind the chain and has no event about it.
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
 * Returns the refund decision for a write that had no effect (docs/internals/failure-modes.md). This function decides
 * all refunds.
 * @param canStillAct true if the forwarder can still spend an arrived payment on a later relay of the write
 * @param isBound true if the payment is bound to one call
 */
export function refundOwed(
  use: AuthorizationUse,
  { canStillAct, isBound = false }: { canStillAct: boolean; isBound?: boolean },
): RefundOwed {
  // Only the forwarder can submit a bound payment, together with the call. In the remaining cases, the nonce belongs to
  // another authorization of the payer, so no refund is owed.
  if (isBound) return use === 'spent_on_call' || use === 'unseen' ? OWED[use] : 'none'
  return use === 'arrived' && canStillAct ? 'none' : OWED[use]
}
