import { type Client, createClient, webStore } from '../../../client/src/index.ts'
import { apiOrigin, loadService } from '../service.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { identityOfTab } from './identity-of-tab.ts'
import { readReceipt } from './receipts.ts'

/**
 * What a person may decide in this browser unless they choose other limits, base units: each payment is shown before it is
 * signed, so that they are higher than those of an agent.
 */
export const browserLimits = { perCall: '1000000000', perDay: '5000000000', perTask: '5000000000' }

/** A wallet that says nothing about a block for so long is not read from, milliseconds. */
const READ_MS = 3_000

/** A client of this service for a wallet, with the journal of this browser. */
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

/** Says whether a wallet lets a page read the chain by its node, as nearly all do. */
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

/** The settings of a wallet in this browser. */
export interface BrowserConfig {
  limits?: { perCall: string; perDay: string; perTask: string }
  withdrawalAddress?: string
}

/** Reads the settings of a wallet. */
export function readConfig(address: string): BrowserConfig {
  return JSON.parse(localStorage.getItem(configName(address)) ?? '{}') as BrowserConfig
}

/** Changes settings of a wallet; only a person does. */
export function keepConfig(address: string, changes: BrowserConfig): void {
  localStorage.setItem(configName(address), JSON.stringify({ ...readConfig(address), ...changes }))
}

function configName(address: string): string {
  return `task-market:${address.toLowerCase()}:config`
}
