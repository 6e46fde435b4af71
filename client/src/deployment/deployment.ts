import type { Address } from 'viem'
import { flattenDeploymentFile } from '../../../protocol/rules/deployment-file.ts'
import { deploymentFiles } from './deployment-files.ts'
import { isLocalUrl } from './loopback.ts'

/**
 * The chain and the contract addresses of a market. A client pays only the `forwarder`, in `usdc`, on the chain
 * `chainId`.
 */
export interface Deployment {
  chainId: number
  market: Address
  forwarder: Address
  usdc: Address
  /** The name and the version in USDC's EIP-712 domain. Example: `{ name: 'USD Coin', version: '2' }`. */
  usdcDomain: { name: string; version: string }
  /** The identity registry, which ratings call. If the address is absent, the client cannot encode a rating. */
  identityRegistry?: Address
  /**
   * The identity registrar, which registrations call. If the address is absent, the client cannot encode a
   * registration.
   */
  identityRegistrar?: Address
  /**
   * True for a chain on this machine. The chain has the id and the addresses of a real chain, but its money is
   * worthless. If the deployment file lacks this field, the URLs of the service and the node determine its value.
   */
  local: boolean
  /**
   * True if the forwarder supports bound payments and bound signed messages. A bound signature is valid only for one
   * contract call. Absent for an older forwarder.
   */
  bound?: true
}

/** The URL of the service, and the URL of the node if there is one. These URLs decide whether a deployment is local. */
export type DeploymentUrls = readonly (string | undefined)[]

/** The network on which a client pays if the caller names no deployment. */
const DEFAULT_NETWORK = 'base'

const contracts = ['market', 'forwarder', 'usdc'] as const
const registries = ['identityRegistry', 'identityRegistrar'] as const

/**
 * Returns the deployment whose contracts receive the client's payments: a deployment file of the package, or the
 * caller's own deployment. A server never chooses the deployment.
 * @param deploymentOption a deployment file's content, `addresses` of a stack.json, or a network name (`base`,
 * `base-sepolia`); absent: `base`
 * @param urls decide whether the deployment is local, if `deploymentOption` has no field `local`
 * @throws Error when `deploymentOption` is not a deployment, or names an unknown network
 */
export function chooseDeployment(deploymentOption: unknown, urls: DeploymentUrls): Deployment {
  if (deploymentOption !== undefined && typeof deploymentOption !== 'string')
    return readDeployment(deploymentOption, urls)
  const file = findDeploymentFile(deploymentOption ?? DEFAULT_NETWORK)
  if (file !== undefined) return readDeployment(file, urls)
  const networkNames = Object.values(deploymentFiles).map(({ name }) => name)
  throw new Error(
    `The package has no deployment file of ${deploymentOption}, but of ${networkNames.join(' and ')}. Pass the content of yours as \`deployment\`.`,
  )
}

/** Returns the package's deployment file for a network such as `base-sepolia`; undefined if the package has none. */
export function findDeploymentFile(network: string): object | undefined {
  return Object.values(deploymentFiles).find(({ name }) => name === network)
}

/**
 * Parses the content of a deployment file, or the addresses of a stack.json.
 * @throws Error whose message names the invalid field
 */
export function readDeployment(deploymentFile: unknown, urls: DeploymentUrls): Deployment {
  const fields = flattenDeploymentFile(deploymentFile)
  for (const name of contracts) {
    if (!isAddressText(fields[name])) throw new Error(`The deployment has no address of \`${name}\`.`)
  }
  const of = (name: string) => String(fields[name]).toLowerCase() as Address
  const addresses = { market: of('market'), forwarder: of('forwarder'), usdc: of('usdc') }
  const registryNames = registries.filter((name) => isAddressText(fields[name]))
  if (![undefined, false, true].includes(fields.bound as boolean | undefined)) {
    throw new Error('The deployment says something else than true or false in `bound`.')
  }
  return {
    chainId: Number(fields.chainId),
    ...addresses,
    usdcDomain: readDomain(fields.usdcDomain),
    ...Object.fromEntries(registryNames.map((name) => [name, of(name)])),
    local: isLocal(fields.local, urls),
    ...(fields.bound === true && { bound: true }),
  }
}

function readDomain(domain: unknown): Deployment['usdcDomain'] {
  const { name, version } = (typeof domain === 'object' && domain !== null ? domain : {}) as Record<string, unknown>
  if (typeof name === 'string' && typeof version === 'string') return { name, version }
  throw new Error('The deployment does not say the name and version of USDC.')
}

function isAddressText(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
}

function isLocal(localField: unknown, urls: DeploymentUrls): boolean {
  return typeof localField === 'boolean' ? localField : urls.some(isLocalUrl)
}

/**
 * Returns the addresses, in lower case, of `deployment`'s forwarder and of the forwarders in the package's deployment
 * files. If a server other than the service asks for a payment to one of these addresses, the client must refuse. That
 * server could use the payment to make a write in the wallet's name.
 *
 * Example: with a `deployment` whose forwarder is `0x3063...`, the list contains `'0x3063...'`.
 */
export function listForwarders(deployment?: Deployment): Address[] {
  const forwarders = Object.values(deploymentFiles).flatMap(({ contracts }) =>
    contracts.forwarder === undefined ? [] : [contracts.forwarder.address.toLowerCase() as Address],
  )
  return [...forwarders, ...(deployment === undefined ? [] : [deployment.forwarder])]
}
