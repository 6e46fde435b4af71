const nameOf = (address: string) => `task-market:${address.toLowerCase()}:legal-receipt`

/** The receipt of the policies that a wallet has accepted here; null: none. */
export function readReceipt(address: string): string | null {
  return localStorage.getItem(nameOf(address))
}

/** Keeps the receipt for the writes of the wallet. */
export function keepReceipt(address: string, receipt: string): void {
  localStorage.setItem(nameOf(address), receipt)
}
