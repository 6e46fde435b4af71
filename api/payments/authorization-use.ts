import type { Hex } from 'viem'
import type { AuthorizationUse } from '../domain/refund-owed.ts'
import { type PaymentAuthorization, toTransfer } from './authorization.ts'
import { proveArrival } from './prove-arrival.ts'
import { findRefund, isSpentInForwarder } from './spent.ts'
import { isAuthorizationUsed, type VerifyPorts } from './verify.ts'

/**
 * The use of an authorization on chain (see `AuthorizationUse`). If one transaction shows the use, `transaction` is its
 * hash.
 */
export type FoundUse =
  | { use: Exclude<AuthorizationUse, 'arrived' | 'cancelled' | 'unproven' | 'elsewhere'> }
  | { use: 'arrived' | 'cancelled' | 'unproven'; transaction: Hex }
  | { use: 'elsewhere'; transaction: Hex; blockNumber: bigint }

/**
 * Returns how a payment's authorization was used on chain. Call this only if the write that the payment pays for has
 * had no effect on chain.
 * @param at `blockNumber`: the block whose state is read (default: the latest block); `fromBlock`: the first block in
 * which events are searched
 * @throws ChainUnavailable
 */
export async function findAuthorizationUse(
  ports: VerifyPorts,
  payment: PaymentAuthorization,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<FoundUse> {
  if (!(await isAuthorizationUsed(ports, payment, at))) return { use: 'unused' }
  if (await isSpentInForwarder(ports, payment, at)) {
    return { use: (await findRefund(ports, payment, at)) === null ? 'spent_on_call' : 'refunded' }
  }
  const arrival = await proveArrival(ports, toTransfer(ports.deployment, payment), at)
  switch (arrival.outcome) {
    case 'elsewhere':
      return { use: 'elsewhere', transaction: arrival.transaction, blockNumber: arrival.blockNumber }
    case 'unseen':
      return { use: 'unseen' }
    default:
      return { use: arrival.outcome, transaction: arrival.transaction }
  }
}
