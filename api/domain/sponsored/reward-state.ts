/** The states of a task's reward in a vault. `credited` means claimable (Spec, "Task"). */
export const rewardStates = ['reserved', 'credited', 'claimed', 'released', 'defaulted'] as const
export type RewardState = (typeof rewardStates)[number]

/** A charge of a vault, as the indexer stores it. Amounts in base units of the vault's token. */
export interface ChargeProgress {
  /** The state: reserved, credited (claims are closed), settled (claims are open) or released. */
  state: string
  credited: bigint
  paid: bigint
  /** The vault's epoch at the charge. */
  epoch: number
  /** The vault's present epoch; an exit ends all charges of its epoch. */
  vaultEpoch: number
}

/**
 * Returns the state of a reward. Interface, "Sponsored vaults": reserved until a settlement is installed, claimed when
 * every leaf is paid.
 */
export function rewardStateOf({ state, credited, paid, epoch, vaultEpoch }: ChargeProgress): RewardState {
  if (state === 'released') return 'released'
  const isSettled = state === 'settled'
  if (isSettled && paid === credited) return 'claimed'
  if (epoch < vaultEpoch) return 'defaulted'
  return isSettled ? 'credited' : 'reserved'
}
