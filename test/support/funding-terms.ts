import { decodeAbiParameters, type Hex, parseAbiParameters } from 'viem'

const types = parseAbiParameters([
  'FundingTerms terms',
  'struct FundingTerms { uint256 version; bytes32 vaultId; address manager; uint256 gross; uint256 epoch; uint256 feeBps; bytes32 termsHash; }',
])

/** Hook data as the hook decodes it. */
export function decodeFundingTerms(hookData: Hex) {
  const [terms] = decodeAbiParameters(types, hookData)
  return terms
}
