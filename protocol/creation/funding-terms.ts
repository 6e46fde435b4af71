import { type Address, decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'

const VERSION = 1n

/**
 * The vault that pays the reward of a sponsored task: the struct `FundingTerms` of
 * contracts/src/interfaces/ISponsoredTasksHook.sol. `gross` is the reward in base units of the vault's token. `feeBps`
 * is the platform fee in basis points.
 */
export interface FundingTerms {
  vaultId: Hex
  manager: Address
  gross: bigint
  epoch: bigint
  feeBps: number
  termsHash: Hex
}

/**
 * ABI types of the fields of a sponsored task's hook data, in their order: version, vaultId, manager, gross, epoch,
 * feeBps, termsHash.
 */
const types = ['uint256', 'bytes32', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'] as const
const parameters = types.map((type) => ({ type }))
const LENGTH = 2 + types.length * 64

/**
 * Encodes the hook data of a sponsored task as 224 bytes: the version (1) in the first 32 bytes, and then the fields of
 * `FundingTerms`.
 */
export function encodeFundingTerms({ vaultId, manager, gross, epoch, feeBps, termsHash }: FundingTerms): Hex {
  return encodeAbiParameters(parameters, [VERSION, vaultId, manager, gross, epoch, BigInt(feeBps), termsHash])
}

/**
 * Decodes the vault id, the manager and the gross amount from the hook data of a sponsored task. Returns null for data
 * that is no `FundingTerms` struct.
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
