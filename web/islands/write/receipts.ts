const nameOf = (address: string) => `task-market:${address.toLowerCase()}:legal-receipt`

/** Returns the receipt that proves the wallet's acceptance of the policies; null if this browser has none. */
export function readReceipt(address: string): string | null {
  return localStorage.getItem(nameOf(address))
}

/** Stores the receipt, which is sent with the later writes of the wallet. */
export function keepReceipt(address: string, receipt: string): void {
  localStorage.setItem(nameOf(address), receipt)
}
