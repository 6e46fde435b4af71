import type { Provider } from '../../../client/src/index.ts'

/** A wallet that has announced itself, EIP-6963. */
export interface AnnouncedWallet {
  rdns: string
  name: string
  /** A data URL; anything else is not shown. */
  icon: string | null
  provider: WalletProvider
}

/** A provider that may tell of changes. */
export interface WalletProvider extends Provider {
  on?(event: string, listener: (value: unknown) => void): void
}

/** Wallets answer at once; one that is slower is found by the next look. Milliseconds. */
const WAIT_MS = 150
const MOST_ICON = 100_000

/** All wallets that announce themselves, in the order of their names: none is preferred. */
export async function listAnnounced(): Promise<AnnouncedWallet[]> {
  const wallets = new Map<string, AnnouncedWallet>()
  const take = (event: Event) => {
    const wallet = readAnnouncement((event as CustomEvent).detail)
    if (wallet !== null) wallets.set(wallet.uuid, wallet)
  }
  addEventListener('eip6963:announceProvider', take)
  dispatchEvent(new Event('eip6963:requestProvider'))
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  removeEventListener('eip6963:announceProvider', take)
  return [...wallets.values()].sort((one, other) => one.name.localeCompare(other.name))
}

/** Null: it is no announcement. A page's wallets are code of others. */
function readAnnouncement(detail: unknown): (AnnouncedWallet & { uuid: string }) | null {
  const { info, provider } = (detail ?? {}) as { info?: Record<string, unknown>; provider?: WalletProvider }
  if (typeof provider?.request !== 'function') return null
  const { uuid, name, rdns, icon } = info ?? {}
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof rdns !== 'string') return null
  const isShown = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length < MOST_ICON
  return { uuid, name: name.slice(0, 60), rdns, icon: isShown ? icon : null, provider }
}
