import { prune } from './ledger.ts'
import { emptyState, type Store, StoreError, type WalletState, withRuns } from './store.ts'
import { readWalletConfig } from './wallet-config.ts'

/** A persistent storage of texts by name, such as `localStorage`. */
export interface WebStorage {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
}

/** A provider of exclusive locks by name, such as `navigator.locks`. */
export interface WebLocks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

/**
 * Stores the states of wallets in a browser. All tabs share one journal, and therefore the same limits.
 * `task-market:<wallet>:config` contains the wallet's configuration, in the format of `config.json`.
 * @example webStore({ storage: localStorage, locks: navigator.locks })
 */
export function webStore({ storage, locks }: { storage: WebStorage; locks: WebLocks }): Store {
  const owner = crypto.randomUUID()
  const nameOf = (wallet: string, what: string) => `task-market:${wallet.toLowerCase()}:${what}`
  const read = (name: string) => {
    try {
      const text = storage.getItem(name)
      return text === null ? null : JSON.parse(text)
    } catch (cause) {
      throw new StoreError(`${name} is damaged: nothing is sent until a person has looked at it.`, { cause })
    }
  }
  return {
    owner,
    // A tab cannot detect whether another tab is closed: its call may be at work until its time is over.
    isAlive: () => true,
    update: (wallet, change) => {
      const name = nameOf(wallet, 'state')
      return locks.request(name, async () => {
        const state: WalletState = withRuns(read(name) ?? emptyState())
        const result = change(state)
        prune(state, Date.now())
        try {
          storage.setItem(name, JSON.stringify(state))
        } catch (cause) {
          throw new StoreError(`${name} cannot be written.`, { cause })
        }
        return result
      })
    },
    config: async (wallet) => {
      const name = nameOf(wallet, 'config')
      const settings = read(name) ?? {}
      try {
        return readWalletConfig(settings)
      } catch (cause) {
        throw new StoreError(`${name} cannot be used.`, { cause })
      }
    },
  }
}
