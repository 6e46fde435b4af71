/**
 * The connected wallet of this browser. The browser stores this data, and the wallet remains connected on the next
 * page.
 */
export interface Session {
  address: string
  /** `announced` for a wallet in the browser, and `demo` for a public test account of a local chain. */
  kind: 'announced' | 'demo'
  /** Identifier of the wallet: the `rdns` of EIP-6963, or the role of a demo wallet. */
  wallet: string
  name: string
}

const NAME = 'task-market:session'
const changeTarget = new EventTarget()

/** Returns the stored wallet; null if no wallet is connected. */
export function readSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(NAME) ?? 'null') as Session | null
    return session !== null && /^0x[0-9a-fA-F]{40}$/.test(session.address) ? session : null
  } catch {
    return null
  }
}

/** Returns true if the given wallet is still the connected wallet of this browser. */
export function isConnected({ account }: { account: { address: string } }): boolean {
  return readSession()?.address.toLowerCase() === account.address.toLowerCase()
}

/**
 * Stores the connected wallet; null deletes the stored wallet. Also deletes the read identity (headers that prove which
 * wallet reads) of the previous wallet.
 */
export function keepSession(session: Session | null): void {
  const before = readSession()?.address
  if (before !== undefined && before !== session?.address) sessionStorage.removeItem(identityName(before))
  if (session === null) localStorage.removeItem(NAME)
  else localStorage.setItem(NAME, JSON.stringify(session))
  changeTarget.dispatchEvent(new Event('change'))
}

/**
 * Returns the name under which a tab stores the wallet's read identity: signed headers that prove which wallet reads.
 */
export function identityName(address: string): string {
  return `task-market:${address.toLowerCase()}:read`
}

/** Calls a function with the stored wallet at once, and again after each change, also after a change in another tab. */
export function watchSession(take: (session: Session | null) => void): void {
  const tell = () => take(readSession())
  changeTarget.addEventListener('change', tell)
  addEventListener('storage', ({ key }) => {
    if (key === NAME) tell()
  })
  tell()
}

/** Shortens an address to its start and its end. Example: `0x976E…0aa9`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
