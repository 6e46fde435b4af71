/** The connected wallet of this browser, as stored between pages. */
export interface Session {
  address: string
  /** `demo`: a public test account of a local chain. */
  kind: 'announced' | 'demo'
  /** Identifier of the wallet: `rdns` of EIP-6963; for a demo wallet its role. */
  wallet: string
  name: string
}

const NAME = 'task-market:session'
const changed = new EventTarget()

/** Returns the stored wallet; null: none is connected. */
export function readSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(NAME) ?? 'null') as Session | null
    return session !== null && /^0x[0-9a-fA-F]{40}$/.test(session.address) ? session : null
  } catch {
    return null
  }
}

/** Returns true if a wallet is still the connected one of this browser. */
export function isConnected({ account }: { account: { address: string } }): boolean {
  return readSession()?.address.toLowerCase() === account.address.toLowerCase()
}

/** Stores a wallet; null deletes it, with its read identity. */
export function keepSession(session: Session | null): void {
  const before = readSession()?.address
  if (before !== undefined && before !== session?.address) sessionStorage.removeItem(identityName(before))
  if (session === null) localStorage.removeItem(NAME)
  else localStorage.setItem(NAME, JSON.stringify(session))
  changed.dispatchEvent(new Event('change'))
}

/** Returns the storage key of a wallet's read identity in a tab. */
export function identityName(address: string): string {
  return `task-market:${address.toLowerCase()}:read`
}

/** Calls a function now and after each change, in other tabs too. */
export function watchSession(take: (session: Session | null) => void): void {
  const tell = () => take(readSession())
  changed.addEventListener('change', tell)
  addEventListener('storage', ({ key }) => {
    if (key === NAME) tell()
  })
  tell()
}

/** Cuts an address in the middle. Example: `0x976E…0aa9`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
