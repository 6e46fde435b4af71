/**
 * The states of a task's reward in a vault. `credited` means that the reward can be claimed (specification, "Task").
 */
export const rewardStates = ['reserved', 'credited', 'claimed', 'released', 'defaulted'] as const
export type RewardState = (typeof rewardStates)[number]

/**
 * A vault's charge, which is the part of the vault's money that is reserved for the reward of one task. Amounts are in
 * base units of the vault's token.
 */
export interface ChargeProgress {
  /**
   * The charge's state: `reserved`, `credited` (the task is paid out, claims are not open yet), `settled` (claims are
   * open) or `released`.
   */
  state: string
  credited: bigint
  paid: bigint
  /** The vault's epoch when the charge was made. */
  epoch: number
  /** The vault's present epoch. An exit of the vault's owner ends the epoch, and with it all charges of the epoch. */
  vaultEpoch: number
}

/**
 * Returns the state of a reward, derived from its charge. If the charge was released: `released`. Else if a settlement
 * is installed and every leaf is paid: `claimed`. Else if the vault's owner has exited since the charge: `defaulted`.
 * Else if a settlement is installed: `credited`. Else: `reserved`. See the interface specification, "Sponsored vaults".
 */
export function rewardStateOf({ state, credited, paid, epoch, vaultEpoch }: ChargeProgress): RewardState {
  if (state === 'released') return 'released'
  const isSettled = state === 'settled'
  if (isSettled && paid === credited) return 'claimed'
  if (epoch < vaultEpoch) return 'defaulted'
  return isSettled ? 'credited' : 'reserved'
}
