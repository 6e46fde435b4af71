/**
 * The state of a payment authorization on chain.
 * - `unused`: its nonce is free, so nothing was charged.
 * - `arrived`: it paid the forwarder, which has not spent it.
 * - `spent_on_call`: the forwarder spent it on a call other than the write it was signed for.
 * - `refunded`: the forwarder has returned it.
 * - `cancelled`: its payer cancelled it.
 * - `elsewhere`: it paid another account.
 * - `unproven`: it was used otherwise, such as to pay another amount to the forwarder.
 * - `unseen`: its nonce is used, and the node returns no event about it: the node is behind.
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

/** The refund that follows. `review`: an operator decides. `unknown`: no conclusion is possible now. */
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
 * Returns the refund owed to the payer of a write that has not acted (docs/internals/failure-modes.md). This function alone
 * decides about refunds: for a reverted call, for the payment of a failed write, and for a payment without a write.
 * @param canStillAct the write can be relayed with a payment that arrived
 * @param isBound only the forwarder can submit the payment, with its call, so no refund is ever owed. Any other use of
 * its nonce is another authorization of the payer
 */
export function refundOwed(
  use: AuthorizationUse,
  { canStillAct, isBound = false }: { canStillAct: boolean; isBound?: boolean },
): RefundOwed {
  if (isBound) return use === 'spent_on_call' || use === 'unseen' ? OWED[use] : 'none'
  return use === 'arrived' && canStillAct ? 'none' : OWED[use]
}
