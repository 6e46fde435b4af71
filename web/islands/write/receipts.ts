const nameOf = (address: string) => `task-market:${address.toLowerCase()}:legal-receipt`

/** Returns the receipt of the policies that a wallet accepted here; null: none. */
export function readReceipt(address: string): string | null {
  return localStorage.getItem(nameOf(address))
}

/** Stores the receipt for the writes of the wallet. */
export function keepReceipt(address: string, receipt: string): void {
  localStorage.setItem(nameOf(address), receipt)
}
