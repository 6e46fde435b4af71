import { decodeAbiParameters, type Hex } from 'viem'

/** Amount that a creation takes out of a vault, as its hook data says. `gross`: base units of the vault's token. */
export interface FundingTerms {
  vaultId: Hex
  manager: string
  gross: bigint
}

const VERSION = 1n
/** `FundingTerms` of the contract SponsoredTasksHook: version, vaultId, manager, gross, epoch, feeBps, termsHash. */
const types = ['uint256', 'bytes32', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'] as const
const LENGTH = 2 + types.length * 64

/**
 * Decodes the hook data of a sponsored task; null: it is something else.
 * Example: the answer of `build-funding-hook-data` gives its vault and the gross amount of its reward.
 */
export function decodeFundingTerms(hookData: string): FundingTerms | null {
  if (hookData.length !== LENGTH) return null
  try {
    const [version, vaultId, manager, gross] = decodeAbiParameters(
      types.map((type) => ({ type })),
      hookData as Hex,
    ) as [bigint, Hex, string, bigint]
    return version === VERSION ? { vaultId, manager, gross } : null
  } catch {
    return null
  }
}
