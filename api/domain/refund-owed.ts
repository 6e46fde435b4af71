/**
 * What the chain shows of a payment authorization.
 * - `unused`: its nonce is free, so nothing was charged.
 * - `arrived`: it paid the forwarder, which has not spent it.
 * - `spent_on_call`: the forwarder spent it on a call other than the write it was signed for.
 * - `refunded`: the forwarder has given it back.
 * - `cancelled`: its payer cancelled it.
 * - `elsewhere`: it paid another account.
 * - `unproven`: it was used otherwise, such as to pay another amount to the forwarder.
 * - `unseen`: its nonce is used, and the node shows no event about it: the node is behind.
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

/** `review`: an operator decides. `unknown`: nothing may be concluded now. */
export type RefundOwed = 'refund' | 'none' | 'review' | 'unknown'

const OWED: Readonly<Record<AuthorizationUse, RefundOwed>> = {
  unused: 'none',
  arrived: 'refund',
  spent_on_call: 'review',
  // Recorded as owed; the refund that was made is found before another one is sent.
  refunded: 'refund',
  cancelled: 'none',
  elsewhere: 'none',
  unproven: 'review',
  unseen: 'unknown',
}

/**
 * What is owed to the payer of a write that has not acted (docs/failure-modes.md). It is the one place that decides
 * about refunds: for a call that reverted, for the payment of a failed write, and for a payment without a write.
 * @param canStillAct the write can be relayed with a payment that arrived
 * @param isBound only the forwarder can submit the payment, with its call: no refund is ever owed of it. Whatever used its nonce
 * otherwise is another authorization of the payer
 */
export function refundOwed(
  use: AuthorizationUse,
  { canStillAct, isBound = false }: { canStillAct: boolean; isBound?: boolean },
): RefundOwed {
  if (isBound) return use === 'spent_on_call' || use === 'unseen' ? OWED[use] : 'none'
  return use === 'arrived' && canStillAct ? 'none' : OWED[use]
}
