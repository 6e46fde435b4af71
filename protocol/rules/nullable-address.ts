import { type Address, isAddressEqual, zeroAddress } from 'viem'

/** An address as a column: null for the zero address, which the contract uses for no account. */
export function toAddressOrNull(address: Address): Address | null {
  return isAddressEqual(address, zeroAddress) ? null : address
}
