import { type Address, isAddressEqual, zeroAddress } from 'viem'

/**
 * Converts an address from the contract to the value of a column. The zero address, which means that there is no
 * account, becomes null.
 * Example: `toAddressOrNull(zeroAddress)` is null.
 */
export function toAddressOrNull(address: Address): Address | null {
  return isAddressEqual(address, zeroAddress) ? null : address
}
