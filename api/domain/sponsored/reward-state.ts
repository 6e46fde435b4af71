/**
 * The states of a task's reward in a vault. `credited` means that the reward can be claimed (specification, "Task").
 */
export const rewardStates = ['reserved', 'credited', 'claimed', 'released', 'defaulted'] as const
export type RewardState = (typeof rewardStates)[number]

/**
 * A vault's charge: the money that the vault reserved for the reward of one task. Amounts are in base units of the
 * vault's token.
 */
export interface ChargeProgress {
  /**
   * The charge's state. `reserved`: the task is running. `credited`: the task is paid out, but claims are not possible.
   * `settled`: claims are possible. `released`: the money is free again.
   */
  state: string
  credited: bigint
  paid: bigint
  /** The vault's epoch at the time when the vault made the charge. */
  epoch: number
  /** The vault's present epoch. When the vault's owner exits, the epoch and all charges of the epoch end. */
  vaultEpoch: number
}

/**
 * Returns the state of a reward, from the charge. The first true case counts:
 * - `released`: the charge was released.
 * - `claimed`: the charge is settled (claims are possible), and every claim is paid.
 * - `defaulted`: the vault's owner has exited since the charge.
 * - `credited`: the charge is settled.
 * - `reserved`: all remaining cases.
 *
 * See the interface specification, "Sponsored vaults".
 */
export function rewardStateOf({ state, credited, paid, epoch, vaultEpoch }: ChargeProgress): RewardState {
  if (state === 'released') return 'released'
  const isSettled = state === 'settled'
  if (isSettled && paid === credited) return 'claimed'
  if (epoch < vaultEpoch) return 'defaulted'
  return isSettled ? 'credited' : 'reserved'
}
