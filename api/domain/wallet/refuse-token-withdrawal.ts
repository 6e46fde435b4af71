import { type Hex, zeroHash } from 'viem'
import { type Clocks, ends, judgeEnd } from '../../../protocol/windows.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { noWithdrawalAddress } from './refuse-withdrawal.ts'

/** The facts about the wallet and the bonus programme that the rules for a withdrawal of reward tokens check. */
export interface TokenWithdrawalFacts {
  /**
   * The address that receives the tokens, in lower case. Null if the request names no address and the wallet has
   * registered none.
   */
  destination: string | null
  /**
   * The addresses at which tokens would be lost: the zero address, the programme, the reward token and the contracts of
   * the market.
   */
  lostAt: readonly string[]
  hasProgramme: boolean
  isNonceUsed: boolean
  /** The amount that the wallet can withdraw, in base units of the token. */
  claimable: bigint
}

/**
 * Returns the refusal of a withdrawal of reward tokens, or null if the withdrawal may be relayed. See the interface
 * specification, "Wallet".
 */
export function refuseTokenWithdrawal(
  { nonce, validBefore }: { nonce: Hex; validBefore: bigint },
  { destination, lostAt, hasProgramme, isNonceUsed, claimable }: TokenWithdrawalFacts,
  clocks: Clocks,
): Refusal | null {
  if (!hasProgramme) return refuse(409, 'no_bonus', 'This market has no token bonus: there is nothing to withdraw.')
  if (destination === null) return noWithdrawalAddress()
  const problem = judgeEnd(ends.tokenWithdrawal, validBefore, { clocks, field: 'validBefore' })
  if (problem !== null) return refuse(400, problem.detail, problem.message, { field: 'validBefore' })
  if (nonce === zeroHash) {
    return refuse(
      400,
      'nonce_zero',
      'nonce must not be zero: the programme logs a direct withdrawal with it. Sign 32 random bytes.',
      { field: 'nonce' },
    )
  }
  if (lostAt.includes(destination)) {
    return refuse(
      400,
      'destination_unusable',
      'destination must not be the zero address, a contract of this market or one of its tokens.',
      {
        field: 'destination',
      },
    )
  }
  if (isNonceUsed) {
    return refuse(409, 'nonce_used', 'The nonce is used on chain; sign a new one.', { field: 'nonce' })
  }
  if (claimable === 0n) return refuse(409, 'nothing_to_withdraw', 'The wallet has no reward tokens to withdraw.')
  return null
}
