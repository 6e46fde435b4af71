import type { Address } from 'viem'
import { knownDeployments } from './known-deployments.ts'
import { isLocalUrl } from './loopback.ts'

/** Where the contracts of a market are. Payments go to `forwarder`, in `usdc`, on `chainId`, and nowhere else. */
export interface Deployment {
  chainId: number
  market: Address
  forwarder: Address
  usdc: Address
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

/** The chain of the market. */
export const MARKET_CHAIN_ID = 8453

const contracts = ['market', 'forwarder', 'usdc'] as const
const registries = ['identityRegistry', 'identityRegistrar'] as const

/**
 * The deployment that a client pays to: the one this package knows for the chain, never one that a server names. A
 * local stack's is passed by the caller (`addresses` of its stack.json).
 * @param urls decide whether it is local where it does not say so
 * @throws Error when the value is no deployment, or none is known
 */
export function chooseDeployment(given: unknown, urls: DeploymentUrls): Deployment {
  if (given !== undefined) return readDeployment(given, urls)
  const known = knownDeployments[MARKET_CHAIN_ID]
  if (known !== undefined) return { ...known, local: false }
  throw new Error(
    `This version of the package knows no deployment on chain ${MARKET_CHAIN_ID}: install a newer one, or pass ` +
      '`deployment` with the addresses of yours.',
  )
}

/** Reads the addresses from the content of a deployment file. @throws Error naming the field */
export function readDeployment(given: unknown, urls: DeploymentUrls): Deployment {
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  if (!Number.isSafeInteger(fields.chainId)) throw new Error('The deployment has no chainId.')
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
    ...Object.fromEntries(named.map((name) => [name, of(name)])),
    local: isLocal(fields.local, urls),
    ...(fields.bound === true && { bound: true }),
  }
}

function isAddressText(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
}

function isLocal(said: unknown, urls: DeploymentUrls): boolean {
  return typeof said === 'boolean' ? said : urls.some(isLocalUrl)
}

/** Every forwarder that takes payments of a market, lower case: no other shop may name one as its own receiver. */
export function listForwarders(deployment?: Deployment): Address[] {
  const known = Object.values(knownDeployments).map(({ forwarder }) => forwarder)
  return [...known, ...(deployment === undefined ? [] : [deployment.forwarder])]
}
