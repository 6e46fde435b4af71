import { type Address, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'

const VERSION = 1n

/** `FundingTerms` of contracts/src/interfaces/ISponsoredTasksHook.sol. `gross`: base units of the vault's token. */
export interface FundingTerms {
  vaultId: Hex
  manager: Address
  gross: bigint
  epoch: bigint
  feeBps: number
  termsHash: Hex
}

/** Version, vaultId, manager, gross, epoch, feeBps, termsHash. */
const types = ['uint256', 'bytes32', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'] as const
const parameters = types.map((type) => ({ type }))
const LENGTH = 2 + types.length * 64

/** Encodes the hook data of a sponsored task. Example: it begins with `0x` and the version 1 in 32 bytes. */
export function encodeFundingTerms({ vaultId, manager, gross, epoch, feeBps, termsHash }: FundingTerms): Hex {
  return encodeAbiParameters(parameters, [VERSION, vaultId, manager, gross, epoch, BigInt(feeBps), termsHash])
}

/**
 * Decodes the vault, its manager and the gross amount of the hook data of a sponsored task; null: it is something else.
 * Example: the answer of `build-funding-hook-data` gives its vault and the gross amount of its reward.
 */
export function decodeFundingTerms(hookData: string): Pick<FundingTerms, 'vaultId' | 'manager' | 'gross'> | null {
  if (hookData.length !== LENGTH) return null
  try {
    const [version, vaultId, manager, gross] = decodeAbiParameters(parameters, hookData as Hex) as [
      bigint,
      Hex,
      Address,
      bigint,
    ]
    return version === VERSION ? { vaultId, manager, gross } : null
  } catch {
    return null
  }
}
