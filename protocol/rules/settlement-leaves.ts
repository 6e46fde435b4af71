import type { Address } from 'viem'

/** The reward of one award of a sponsored task. */
export interface SettlementLeaf {
  /** Position among the awards of the task, from 0. */
  index: number
  worker: Address
  /** Base units of the vault's token, above zero. */
  amount: bigint
}

/**
 * Lists the leaves of a settlement from its logged lists, by index; an award that earned nothing has no leaf. The rule of
 * contracts/src/sponsored/SettlementTree.sol.
 * Example: `listLeaves(['0xa1..', '0xb2..'], [0n, 5n])` is `[{ index: 1, worker: '0xb2..', amount: 5n }]`.
 */
export function listLeaves(workers: readonly Address[], amounts: readonly bigint[]): SettlementLeaf[] {
  return workers.flatMap((worker, index) => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ index, worker, amount }]
  })
}
