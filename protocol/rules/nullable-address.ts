import { type Address, isAddressEqual, zeroAddress } from 'viem'

/**
 * Converts an address from the contract to a column's value. The zero address (no account) becomes null.
 * Example: `toAddressOrNull(zeroAddress)` is null.
 */
export function toAddressOrNull(address: Address): Address | null {
  return isAddressEqual(address, zeroAddress) ? null : address
}
