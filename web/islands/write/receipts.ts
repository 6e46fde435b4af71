const nameOf = (address: string) => `task-market:${address.toLowerCase()}:legal-receipt`

/** Returns the receipt that proves the wallet's acceptance of the policies; null if this browser has none. */
export function readReceipt(address: string): string | null {
  return localStorage.getItem(nameOf(address))
}

/** Stores the receipt for accepting the legal policies. The wallet's later writes contain the receipt. */
export function keepReceipt(address: string, receipt: string): void {
  localStorage.setItem(nameOf(address), receipt)
}
