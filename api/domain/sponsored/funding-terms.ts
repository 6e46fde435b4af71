import { type Address, encodeAbiParameters, type Hex } from 'viem'

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

/** The hook data of a sponsored task. */
export function encodeFundingTerms({ vaultId, manager, gross, epoch, feeBps, termsHash }: FundingTerms): Hex {
  return encodeAbiParameters(
    types.map((type) => ({ type })),
    [VERSION, vaultId, manager, gross, epoch, BigInt(feeBps), termsHash],
  )
}

const types = ['uint256', 'bytes32', 'address', 'uint256', 'uint256', 'uint256', 'bytes32']
