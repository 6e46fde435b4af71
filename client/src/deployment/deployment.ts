import type { Address } from 'viem'
import { flattenDeploymentFile } from '../../../protocol/rules/deployment-file.ts'
import { deploymentFiles } from './deployment-files.ts'
import { isLocalUrl } from './loopback.ts'

/** Where the contracts of a market are. Payments go to `forwarder`, in `usdc`, on `chainId`, and nowhere else. */
export interface Deployment {
  chainId: number
  market: Address
  forwarder: Address
  usdc: Address
  /** Name and version of USDC's EIP-712 domain. */
  usdcDomain: { name: string; version: string }
  /** Contracts that the calls of ratings and registrations name; absent: not said, and such a call is not known. */
  identityRegistry?: Address
  identityRegistrar?: Address
  /**
   * A chain of this machine: it has the id and the addresses of a real one, and its money is worth nothing. Of a deployment
   * that does not say it, the URLs decide.
   */
  local: boolean
  /** Payments are bound to their calls, and so are the texts of free writes. Absent: the forwarder is older. */
  bound?: true
}

/** The URLs that a deployment is reached by: the service's, and the node's where there is one. */
export type DeploymentUrls = readonly (string | undefined)[]

/** The network whose deployment a client pays to when it is told none. */
const DEFAULT_NETWORK = 'base'

const contracts = ['market', 'forwarder', 'usdc'] as const
const registries = ['identityRegistry', 'identityRegistrar'] as const

/**
 * The deployment that a client pays to: one of a file that is in this package, never one that a server names, or the given one.
 * @param given the content of a deployment file, `addresses` of a local stack's stack.json, or the name of a network that
 * this package has a file of (`base`, `base-sepolia`); absent: `base`
 * @param urls decide whether it is local where it does not say so
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

/** The file of a network that this package has. Example: `base-sepolia`. */
export function findDeploymentFile(network: string): object | undefined {
  return Object.values(deploymentFiles).find(({ name }) => name === network)
}

/** Reads the content of a deployment file, or the addresses alone, as a stack.json has them. @throws Error naming the field */
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

/** Every forwarder that takes payments of a market, lower case: no other shop may name one as its own receiver. */
export function listForwarders(deployment?: Deployment): Address[] {
  const known = Object.values(deploymentFiles).flatMap(({ contracts }) =>
    contracts.forwarder === undefined ? [] : [contracts.forwarder.address.toLowerCase() as Address],
  )
  return [...known, ...(deployment === undefined ? [] : [deployment.forwarder])]
}
