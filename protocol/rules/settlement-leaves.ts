import type { Address } from 'viem'

/** One leaf of a settlement's Merkle tree: the amount that one award of a sponsored task earned. */
export interface SettlementLeaf {
  /** Index of the award in the task, from 0. */
  index: number
  worker: Address
  /** Amount in base units of the vault's token, above zero. */
  amount: bigint
}

/**
 * Lists the leaves of a settlement, sorted by index (contracts/src/sponsored/SettlementTree.sol). `workers` and
 * `amounts` are the lists that the vault logs. An award that earned nothing has no leaf.
 * Example: `listLeaves(['0xa1..', '0xb2..'], [0n, 5n])` is `[{ index: 1, worker: '0xb2..', amount: 5n }]`.
 */
export function listLeaves(workers: readonly Address[], amounts: readonly bigint[]): SettlementLeaf[] {
  return workers.flatMap((worker, index) => {
    const amount = amounts[index] ?? 0n
    return amount === 0n ? [] : [{ index, worker, amount }]
  })
}
