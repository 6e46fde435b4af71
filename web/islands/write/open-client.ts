import { type Client, createClient, webStore } from '../../../client/src/index.ts'
import { apiOrigin, loadService } from '../service.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { identityOfTab } from './identity-of-tab.ts'
import { readReceipt } from './receipts.ts'

/**
 * Default spending limits in this browser, in base units of USDC. The limits exceed those of an agent, because a person
 * confirms each payment.
 */
export const browserLimits = { perCall: '1000000000', perDay: '5000000000', perTask: '5000000000' }

/**
 * Time limit in milliseconds for a test read from the wallet's node. A node without an answer in this time is not used.
 */
const READ_MS = 3_000

/** Opens a client of this service for a wallet. The client stores its data in this browser. */
export async function openClient({ account, provider }: ConnectedWallet): Promise<Client> {
  const [service, hasNode] = await Promise.all([loadService(), answersReads(provider)])
  const { address } = account
  const legalReceipt = readReceipt(address)
  if (localStorage.getItem(configName(address)) === null) keepConfig(address, { limits: browserLimits })
  return createClient({
    url: apiOrigin(service),
    account,
    deployment: service.deployment,
    store: webStore({ storage: localStorage, locks: navigator.locks }),
    identityCache: identityOfTab(address),
    ...(legalReceipt !== null && { legalReceipt }),
    ...(provider !== null && hasNode && { provider }),
  })
}

/** Returns true if the wallet's provider answers reads of the chain. Most wallets do. */
async function answersReads(provider: ConnectedWallet['provider']): Promise<boolean> {
  if (provider === null) return false
  const silence = new Promise<null>((resolve) => setTimeout(() => resolve(null), READ_MS))
  try {
    const reading = provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    return ((await Promise.race([reading, silence])) ?? null) !== null
  } catch {
    return false
  }
}

/** The settings of a wallet that are stored in this browser. */
export interface BrowserConfig {
  limits?: { perCall: string; perDay: string; perTask: string }
  withdrawalAddress?: string
}

/** Reads the stored settings of a wallet. */
export function readConfig(address: string): BrowserConfig {
  return JSON.parse(localStorage.getItem(configName(address)) ?? '{}') as BrowserConfig
}

/** Changes stored settings of a wallet. Call this function only after an action of a person. */
export function keepConfig(address: string, changes: BrowserConfig): void {
  localStorage.setItem(configName(address), JSON.stringify({ ...readConfig(address), ...changes }))
}

function configName(address: string): string {
  return `task-market:${address.toLowerCase()}:config`
}
