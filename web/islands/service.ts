import type { Deployment } from '../../client/src/index.ts'

/**
 * What this service tells its pages about itself: a file that is served with them, made from the deployment file of its
 * operator, and no answer of the API.
 */
export interface Service {
  deployment: Deployment
  /** The origin of the API; null: that of the pages. */
  apiUrl: string | null
  chain: { name: string; rpcUrl: string; explorerUrl: string | null }
  /** The file of the demo wallets; null: this service has none. */
  demoWallets: string | null
}

const SERVICE_FILE: string = '/assets/service.js'

let loading: Promise<Service> | undefined

/** Loads it once. @throws where the service does not answer */
export function loadService(): Promise<Service> {
  loading ??= (import(SERVICE_FILE) as Promise<{ default: Service }>).then((module) => module.default)
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

/** The origin that the API is reached at. */
export function apiOrigin({ apiUrl }: Service): string {
  return apiUrl ?? location.origin
}
