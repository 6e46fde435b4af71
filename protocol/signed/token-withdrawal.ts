import type { Address, Hex } from 'viem'
import type { SignedText } from './signed-text.ts'

/**
 * A withdrawal of all claimable reward tokens of an account. Addresses and hex are in lower case. `validBefore` is in
 * Unix seconds.
 */
export interface TokenWithdrawal {
  account: Address
  destination: Address
  nonce: Hex
  validBefore: bigint
}

/**
 * Returns the message (EIP-191) by which an account withdraws its reward tokens (`withdrawFor` of IBonusHook). The text
 * does not contain the prefix `<service>:`. Example: `withdraw-token:0xf6..:0x7b..:1795694400`. The parts are the
 * destination, the nonce and the end of validity in Unix seconds.
 */
export function toWithdrawalText({ destination, nonce, validBefore }: Omit<TokenWithdrawal, 'account'>): SignedText {
  return `withdraw-token:${destination}:${nonce}:${validBefore}`
}
