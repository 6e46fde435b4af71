/**
 * The division of a sponsored reward, as contracts/src/sponsored/RewardMath.sol does it. Amounts of the charge are base units of
 * the vault's token, those of awards base units of USDC. All parts are floors; what a division leaves over goes back to the
 * sponsor.
 */

const BPS = 10_000n

/** What a task charged its vault, and what the task could pay. */
export interface RewardCharge {
  gross: bigint
  /** Platform fee of a full award, part of `gross`. */
  fee: bigint
  /** USDC that the task could pay: an award of as much earns all but the fee. */
  base: bigint
  requester: string
}

/** An award of the task, in the order of its events. */
export interface RewardAward {
  worker: string
  /** Gross. */
  amount: bigint
}

/** Platform fee of a full award, part of `gross`. */
export function feeOfReward(gross: bigint, feeBps: number): bigint {
  return (gross * BigInt(feeBps)) / BPS
}

/** What each award earns, in their order; an award of the requester to itself earns nothing. */
export function earnedOf({ gross, fee, base, requester }: RewardCharge, awards: readonly RewardAward[]): bigint[] {
  return awards.map(({ worker, amount }) => (worker === requester ? 0n : ((gross - fee) * amount) / base))
}

/** What the workers and the platform are credited; both zero: the reward is released. */
export function creditOf(charge: RewardCharge, awards: readonly RewardAward[]): { credited: bigint; fee: bigint } {
  const earned = earnedOf(charge, awards)
  const credited = earned.reduce((sum, part) => sum + part, 0n)
  const awarded = awards.reduce((sum, { amount }, index) => (earned[index] === 0n ? sum : sum + amount), 0n)
  return { credited, fee: (charge.fee * awarded) / charge.base }
}
