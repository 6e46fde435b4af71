/**
 * What can keep a vault from funding a task. Spec, "Sponsored-task vaults", in its order, which is that of the bits in
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
 * The failures in what `problemsOf` of the hook answered, one bit each.
 * @throws for a bit that is no failure
 */
export function toFundingFailures(problems: bigint): FundingFailure[] {
  if (problems >> BigInt(fundingFailures.length) !== 0n) throw new Error(`${problems} has bits of no known problem`)
  return fundingFailures.filter((_, bit) => (problems >> BigInt(bit)) & 1n)
}
