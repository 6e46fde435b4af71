import type { Deployment } from '../../client/src/index.ts'

/**
 * Settings of this service that the scripts of its pages use. The settings come from the operator's deployment file,
 * not from the API.
 */
export interface Service {
  deployment: Deployment
  /** Origin of the API; null if the API has the same origin as the pages. */
  apiUrl: string | null
  chain: { name: string; rpcUrl: string; explorerUrl: string | null }
  /** Path of the script with the demo wallets; null if this service has no demo wallets. */
  demoWallets: string | null
}

const SERVICE_FILE: string = '/assets/service.js'

let servicePromise: Promise<Service> | undefined

/**
 * Loads the settings of the service. Later calls return the same promise.
 * @throws if the service does not answer
 */
export function loadService(): Promise<Service> {
  servicePromise ??= (import(SERVICE_FILE) as Promise<{ default: Service }>).then((module) => module.default)
  servicePromise.catch(() => {
    servicePromise = undefined
  })
  return servicePromise
}

/** Returns the origin of the API. */
export function apiOrigin({ apiUrl }: Service): string {
  return apiUrl ?? location.origin
}
