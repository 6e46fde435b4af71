import type { Address } from 'viem'

/** What an award of a sponsored task earned. */
export interface SettlementLeaf {
  /** Position among the awards of the task, from 0. */
  index: number
  worker: Address
  /** Base units of the vault's token, above zero. */
  amount: bigint
}

/**
 * The leaves of a settlement that was logged with these lists, by index; an award that earned nothing is no leaf. As
 * contracts/src/sponsored/SettlementTree.sol makes them.
 */
export function listLeaves(workers: readonly Address[], amounts: readonly bigint[]): SettlementLeaf[] {
  return workers.flatMap((worker, index) => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ index, worker, amount }]
  })
}
