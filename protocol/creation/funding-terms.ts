import { type Address, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'

const VERSION = 1n

/** Struct `FundingTerms` of contracts/src/interfaces/ISponsoredTasksHook.sol. `gross`: base units of the vault's token. */
export interface FundingTerms {
  vaultId: Hex
  manager: Address
  gross: bigint
  epoch: bigint
  feeBps: number
  termsHash: Hex
}

/** Types in order: version, vaultId, manager, gross, epoch, feeBps, termsHash. */
const types = ['uint256', 'bytes32', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'] as const
const parameters = types.map((type) => ({ type }))
const LENGTH = 2 + types.length * 64

/** Encodes the hook data of a sponsored task: 224 bytes. Example: it begins with the version 1 in 32 bytes. */
export function encodeFundingTerms({ vaultId, manager, gross, epoch, feeBps, termsHash }: FundingTerms): Hex {
  return encodeAbiParameters(parameters, [VERSION, vaultId, manager, gross, epoch, BigInt(feeBps), termsHash])
}

/**
 * Decodes vault, manager and gross amount of the hook data of a sponsored task; null for other data.
 * Example: `decodeFundingTerms('0x')` is null.
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
