import type { Address, Hex } from 'viem'
import type { SignedText } from './signed-text.ts'

/** A withdrawal of all reward tokens of an account. Addresses and hex in lower case; Unix seconds. */
export interface TokenWithdrawal {
  account: Address
  destination: Address
  nonce: Hex
  validBefore: bigint
}

/**
 * Returns the text (EIP-191) by which an account withdraws its reward tokens, without the name of the service
 * (IBonusHook.withdrawFor). Example: `withdraw-token:0xf6..:0x7b..:1795694400`.
 */
export function toWithdrawalText({ destination, nonce, validBefore }: Omit<TokenWithdrawal, 'account'>): SignedText {
  return `withdraw-token:${destination}:${nonce}:${validBefore}`
}
