import { type Address, isAddressEqual, zeroAddress } from 'viem'

/**
 * Converts an address to a column: null for the zero address, by which the contract means no account.
 * Example: `toAddressOrNull(zeroAddress)` is null.
 */
export function toAddressOrNull(address: Address): Address | null {
  return isAddressEqual(address, zeroAddress) ? null : address
}
