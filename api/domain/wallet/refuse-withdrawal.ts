import type { Address } from 'viem'
import { MIN_WITHDRAWAL } from '../../../protocol/limits.ts'
import { type Refusal, refuse } from '../refusal.ts'

/** Withdrawals of a wallet within a day, of all kinds: the service pays for their gas. */
export const MAX_WITHDRAWALS_PER_DAY = 20

/** A withdrawal as it is asked for. Amounts in USDC base units, addresses lower case. */
export interface WithdrawalRequest {
  wallet: Address
  amount: bigint
  authorization: { from: Address; to: Address; value: bigint }
}

/** What is known of the wallet. */
export interface WithdrawalFacts {
  /** Null: no withdrawal address is registered. */
  registered: Address | null
  balance: bigint
  /** The authorization's nonce is used or cancelled on chain. */
  isUsed: boolean
}

/** Why a withdrawal is not made, but for the window of its authorization; null: it is. Interface, "Wallet". */
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
 * Why a wallet makes no further withdrawal; null: it does.
 * @param waitSeconds until it may make one, as it has made those of a day; null: it may now
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

/** No address to withdraw to. */
export function noWithdrawalAddress(): Refusal {
  return refuse(
    409,
    'no_withdrawal_address',
    'No withdrawal address is registered for this wallet; register one first.',
  )
}
