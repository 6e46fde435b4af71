import type { Deployment } from '../../client/src/index.ts'

/**
 * Settings of this service for its pages, from a file that is served with them and generated from the operator's deployment file.
 * It is no answer of the API.
 */
export interface Service {
  deployment: Deployment
  /** Origin of the API; null: that of the pages. */
  apiUrl: string | null
  chain: { name: string; rpcUrl: string; explorerUrl: string | null }
  /** Path of the file of the demo wallets; null: this service has none. */
  demoWallets: string | null
}

const SERVICE_FILE: string = '/assets/service.js'

let loading: Promise<Service> | undefined

/** Loads the settings once. @throws if the service does not answer */
export function loadService(): Promise<Service> {
  loading ??= (import(SERVICE_FILE) as Promise<{ default: Service }>).then((module) => module.default)
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

/** Returns the origin of the API. */
export function apiOrigin({ apiUrl }: Service): string {
  return apiUrl ?? location.origin
}
