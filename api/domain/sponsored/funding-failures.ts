/**
 * The reasons why a vault cannot fund a task (specification, "Sponsored-task vaults"). The order is that of the bits in
 * contracts/src/sponsored/FundingProblems.sol.
 */
export const fundingFailures = [
  'HOOK_NOT_CONFIGURED',
  'VAULT_NOT_ACTIVE',
  'MANAGER_NOT_ACTIVE',
  'MANAGER_CAP_EXCEEDED',
  'VAULT_INSOLVENT',
  'VAULT_INSUFFICIENT_AVAILABLE',
  'HOOK_NOT_AUTHORIZED_CHARGER',
  'INSUFFICIENT_FEE_CREDIT',
] as const
export type FundingFailure = (typeof fundingFailures)[number]

/**
 * Converts the bit set `problems` to a list of failures. The hook's function `problemsOf` returns the bit set. Example:
 * `toFundingFailures(2n)` returns `['VAULT_NOT_ACTIVE']`.
 * @throws Error for a bit beyond the end of `fundingFailures`
 */
export function toFundingFailures(problems: bigint): FundingFailure[] {
  if (problems >> BigInt(fundingFailures.length) !== 0n) throw new Error(`${problems} has bits of no known problem`)
  return fundingFailures.filter((_, bit) => (problems >> BigInt(bit)) & 1n)
}
