import type { Address } from 'viem'
import { MIN_WITHDRAWAL } from '../../../protocol/limits.ts'
import { type Refusal, refuse } from '../refusal.ts'

/**
 * The largest number of withdrawals of all kinds that the service relays for one wallet in a day. The service pays the
 * gas of the withdrawals.
 */
export const MAX_WITHDRAWALS_PER_DAY = 20

/** A requested withdrawal. Amounts are in USDC base units, addresses in lower case. */
export interface WithdrawalRequest {
  wallet: Address
  amount: bigint
  authorization: { from: Address; to: Address; value: bigint }
}

/** The facts about the wallet that the rules for a withdrawal check. */
export interface WithdrawalFacts {
  /** The wallet's registered withdrawal address; null if none is registered. */
  registered: Address | null
  balance: bigint
  /** True if the nonce of the authorization is already used or cancelled on chain. */
  isUsed: boolean
}

/**
 * Returns the refusal of a USDC withdrawal, or null. This function does not check the validity times of the
 * authorization. See the interface specification, "Wallet".
 */
export function refuseWithdrawal(
  { wallet, amount, authorization: { from, to, value } }: WithdrawalRequest,
  { registered, balance, isUsed }: WithdrawalFacts,
): Refusal | null {
  if (from !== wallet) {
    return refuse(400, 'other_owner', 'authorization.from must be the wallet of the field from.', {
      field: 'authorization.from',
    })
  }
  if (value !== amount) {
    return refuse(400, 'other_amount', 'authorization.value must be amountBaseUnits.', { field: 'authorization.value' })
  }
  if (amount < MIN_WITHDRAWAL) {
    return refuse(400, 'too_little', `amountBaseUnits must be at least ${MIN_WITHDRAWAL}.`, {
      field: 'amountBaseUnits',
    })
  }
  if (registered === null) return noWithdrawalAddress()
  if (to !== registered) {
    return refuse(409, 'other_receiver', `authorization.to must be the registered withdrawal address ${registered}.`, {
      field: 'authorization.to',
    })
  }
  if (registered === wallet) {
    return refuse(409, 'own_address', 'The registered withdrawal address is the wallet itself: nothing would move.')
  }
  if (isUsed) {
    return refuse(409, 'authorization_used', 'The authorization is used or cancelled on chain; sign a new one.', {
      field: 'authorization.nonce',
    })
  }
  if (balance < amount) {
    return refuse(409, 'balance_too_low', `The wallet holds ${balance} USDC base units, ${amount} are asked for.`, {
      field: 'amountBaseUnits',
    })
  }
  return null
}

/**
 * Returns the refusal of a withdrawal because the wallet has reached the daily limit, or null.
 * @param waitSeconds the seconds until the next withdrawal is admitted; null if it is admitted now
 */
export function refuseFurtherWithdrawal(waitSeconds: number | null): Refusal | null {
  if (waitSeconds === null) return null
  return refuse(
    429,
    'too_many_withdrawals',
    `This wallet has made ${MAX_WITHDRAWALS_PER_DAY} withdrawals without gas within a day; nothing was sent.`,
    { retryAfterSeconds: waitSeconds },
  )
}

/** Returns the refusal for a wallet that has registered no withdrawal address. */
export function noWithdrawalAddress(): Refusal {
  return refuse(
    409,
    'no_withdrawal_address',
    'No withdrawal address is registered for this wallet; register one first.',
  )
}
