import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { identityRegistryAbi } from '../../abis/identity-registry.ts'
import { type DeployClient, type ReadClient, sendAll } from './chain.ts'

/** Maximum number of blocks in one query for logs that nodes accept. */
export const BLOCKS_AT_ONCE = 10_000n

/**
 * Returns the URI of a service's registration file. ERC-8004 defines this path: the file proves that the agent and the
 * host of the URI belong together.
 */
export function registrationUri(publicBaseUrl: string): string {
  return `${publicBaseUrl}/.well-known/agent-registration.json`
}

interface ServicePlace {
  registry: Address
  publicBaseUrl: string
  /** First block in which the agent can have been registered. Earlier registrations are not found. */
  startBlock: number
}

/**
 * Registers the service as an agent in the ERC-8004 registry. The client's account owns the agent and can change the
 * agent's URI. If this account has already registered an agent with this URI since `startBlock`, returns this agent.
 * @returns the agent's id
 * @throws if the transaction reverts, or if no agent is found after it
 */
export async function registerService(client: DeployClient, place: ServicePlace): Promise<bigint> {
  const owner = client.account.address
  const existingAgent = await findServiceAgent(client, { ...place, owner })
  if (existingAgent !== null) return existingAgent
  const uri = registrationUri(place.publicBaseUrl)
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: 'register', args: [uri] })
  await sendAll(client, [{ what: 'the registration of the service', to: place.registry, data }])
  const newAgent = await findServiceAgent(client, { ...place, owner })
  if (newAgent === null) throw new Error(`${place.registry} registered no agent with the URI ${uri}`)
  return newAgent
}

/** Finds an agent with the URI of the service that `owner` registered and still owns; null if there is none. */
export async function findServiceAgent(
  client: ReadClient,
  { registry, publicBaseUrl, startBlock, owner }: ServicePlace & { owner: Address },
): Promise<bigint | null> {
  const uri = registrationUri(publicBaseUrl)
  const head = await client.getBlockNumber({ cacheTime: 0 })
  for (let from = BigInt(startBlock); from <= head; from += BLOCKS_AT_ONCE) {
    const to = from + BLOCKS_AT_ONCE - 1n
    const logs = await client.getContractEvents({
      address: registry,
      abi: identityRegistryAbi,
      eventName: 'Registered',
      args: { owner },
      fromBlock: from,
      toBlock: to < head ? to : head,
      strict: true,
    })
    for (const { args } of logs) {
      if (args.agentURI !== uri) continue
      const contract = { address: registry, abi: identityRegistryAbi } as const
      const presentOwner = await client.readContract({ ...contract, functionName: 'ownerOf', args: [args.agentId] })
      if (isAddressEqual(presentOwner, owner)) return args.agentId
    }
  }
  return null
}
