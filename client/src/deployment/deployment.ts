import type { Address } from 'viem'
import { flattenDeploymentFile } from '../../../protocol/rules/deployment-file.ts'
import { deploymentFiles } from './deployment-files.ts'
import { isLocalUrl } from './loopback.ts'

/** Addresses of a market's contracts. Payments go only to `forwarder`, in `usdc`, on `chainId`. */
export interface Deployment {
  chainId: number
  market: Address
  forwarder: Address
  usdc: Address
  /** Name and version of USDC's EIP-712 domain. Example: `{ name: 'USD Coin', version: '2' }`. */
  usdcDomain: { name: string; version: string }
  /** Contracts that ratings and registrations call; absent: the deployment omits them, and such a call cannot be encoded. */
  identityRegistry?: Address
  identityRegistrar?: Address
  /**
   * True for a chain of this machine, which reuses the id and the addresses of a real one with worthless money. Without the field
   * in the deployment, the URLs decide.
   */
  local: boolean
  /** True: payments and texts of free writes are bound to their calls. Absent: an older forwarder. */
  bound?: true
}

/** URLs of a deployment: the service's, and the node's if any. */
export type DeploymentUrls = readonly (string | undefined)[]

/** Network that a client pays to by default. */
const DEFAULT_NETWORK = 'base'

const contracts = ['market', 'forwarder', 'usdc'] as const
const registries = ['identityRegistry', 'identityRegistrar'] as const

/**
 * Returns the deployment that a client pays to: one of the package's files or the caller's own, never one that a server names.
 * @param given content of a deployment file, `addresses` of a local stack's stack.json, or a network whose file the package has
 * (`base`, `base-sepolia`); absent: `base`
 * @param urls decide whether the deployment is local when it does not say so
 * @throws Error when the value is no deployment, or names no contracts
 */
export function chooseDeployment(given: unknown, urls: DeploymentUrls): Deployment {
  if (given !== undefined && typeof given !== 'string') return readDeployment(given, urls)
  const file = findDeploymentFile(given ?? DEFAULT_NETWORK)
  if (file !== undefined) return readDeployment(file, urls)
  const known = Object.values(deploymentFiles).map(({ name }) => name)
  throw new Error(
    `The package has no deployment file of ${given}, but of ${known.join(' and ')}. Pass the content of yours as \`deployment\`.`,
  )
}

/** Returns the package's deployment file of a network; undefined: none. Example: `base-sepolia`. */
export function findDeploymentFile(network: string): object | undefined {
  return Object.values(deploymentFiles).find(({ name }) => name === network)
}

/**
 * Parses the content of a deployment file, or the addresses of a stack.json.
 * @throws Error naming the field
 */
export function readDeployment(given: unknown, urls: DeploymentUrls): Deployment {
  const fields = flattenDeploymentFile(given)
  for (const name of contracts) {
    if (!isAddressText(fields[name])) throw new Error(`The deployment has no address of \`${name}\`.`)
  }
  const of = (name: string) => String(fields[name]).toLowerCase() as Address
  const addresses = { market: of('market'), forwarder: of('forwarder'), usdc: of('usdc') }
  const named = registries.filter((name) => isAddressText(fields[name]))
  if (![undefined, false, true].includes(fields.bound as boolean | undefined)) {
    throw new Error('The deployment says something else than true or false in `bound`.')
  }
  return {
    chainId: Number(fields.chainId),
    ...addresses,
    usdcDomain: readDomain(fields.usdcDomain),
    ...Object.fromEntries(named.map((name) => [name, of(name)])),
    local: isLocal(fields.local, urls),
    ...(fields.bound === true && { bound: true }),
  }
}

function readDomain(given: unknown): Deployment['usdcDomain'] {
  const { name, version } = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  if (typeof name === 'string' && typeof version === 'string') return { name, version }
  throw new Error('The deployment does not say the name and version of USDC.')
}

function isAddressText(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
}

function isLocal(said: unknown, urls: DeploymentUrls): boolean {
  return typeof said === 'boolean' ? said : urls.some(isLocalUrl)
}

/**
 * Returns every known forwarder of a market, lower case: those of the package and of `deployment`. Another shop must not name one
 * as its receiver. Example: with a `deployment` whose forwarder is `0x3063...`, the list contains `'0x3063...'`.
 */
export function listForwarders(deployment?: Deployment): Address[] {
  const known = Object.values(deploymentFiles).flatMap(({ contracts }) =>
    contracts.forwarder === undefined ? [] : [contracts.forwarder.address.toLowerCase() as Address],
  )
  return [...known, ...(deployment === undefined ? [] : [deployment.forwarder])]
}
