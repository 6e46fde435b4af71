import type { Provider } from '../../../client/src/index.ts'

/** A wallet in the browser that announced itself (EIP-6963). */
export interface AnnouncedWallet {
  rdns: string
  name: string
  /** Icon of the wallet as a data URL; null if the wallet sent no valid image. */
  icon: string | null
  provider: WalletProvider
}

/** The EIP-1193 provider of a wallet. `on` registers a listener for events, and is missing in some wallets. */
export interface WalletProvider extends Provider {
  on?(event: string, listener: (value: unknown) => void): void
}

/**
 * Time in milliseconds for which `listAnnounced` waits for announcements. A wallet that needs more time is missing from
 * the list; it can appear in the list of a later call.
 */
const WAIT_MS = 150
const MOST_ICON = 100_000

/** Lists all wallets that announce themselves, sorted by name. No wallet is preferred. */
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

/**
 * Parses the announcement of a wallet; null if the announcement is invalid. Any code in the page can send an
 * announcement, so each field is checked.
 */
function readAnnouncement(detail: unknown): (AnnouncedWallet & { uuid: string }) | null {
  const { info, provider } = (detail ?? {}) as { info?: Record<string, unknown>; provider?: WalletProvider }
  if (typeof provider?.request !== 'function') return null
  const { uuid, name, rdns, icon } = info ?? {}
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof rdns !== 'string') return null
  const isShown = typeof icon === 'string' && icon.startsWith('data:image/') && icon.length < MOST_ICON
  return { uuid, name: name.slice(0, 60), rdns, icon: isShown ? icon : null, provider }
}
