/** How far the reward of a task in a vault has come. `credited` means claimable (Spec, "Task"). */
export const rewardStates = ['reserved', 'credited', 'claimed', 'released', 'defaulted'] as const
export type RewardState = (typeof rewardStates)[number]

/** A charge of a vault, as the indexer keeps it. Amounts in base units of the vault's token. */
export interface ChargeProgress {
  /** reserved, credited (claims are closed), settled (claims are open) or released. */
  state: string
  credited: bigint
  paid: bigint
  /** Of the vault at the charge. */
  epoch: number
  /** Of the vault now: an exit ends all charges of its epoch. */
  vaultEpoch: number
}

/** Interface, "Sponsored vaults": reserved until a settlement is installed, claimed when every leaf is paid. */
export function rewardStateOf({ state, credited, paid, epoch, vaultEpoch }: ChargeProgress): RewardState {
  if (state === 'released') return 'released'
  const isSettled = state === 'settled'
  if (isSettled && paid === credited) return 'claimed'
  if (epoch < vaultEpoch) return 'defaulted'
  return isSettled ? 'credited' : 'reserved'
}
