import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import { identityRegistryAbi } from '../../abis/identity-registry.ts'
import { type DeployClient, sendAll } from './chain.ts'

/** Blocks that nodes let a query of logs cover. */
const BLOCKS_AT_ONCE = 10_000n

/** Where the registration file of a service is: ERC-8004 looks for it there, too, as proof that both belong together. */
export function registrationUri(publicBaseUrl: string): string {
  return `${publicBaseUrl}/.well-known/agent-registration.json`
}

/**
 * Registers the service itself with the ERC-8004 registry. The deployer owns the agent and can change its URI. An agent of
 * the deployer with this URI that was registered since `startBlock` is taken as it is.
 * @returns the agent's id
 * @throws when the transaction reverts, or shows no id
 */
export async function registerService(
  client: DeployClient,
  { registry, publicBaseUrl, startBlock }: { registry: Address; publicBaseUrl: string; startBlock: number },
): Promise<bigint> {
  const uri = registrationUri(publicBaseUrl)
  const known = await findAgent(client, { registry, uri, startBlock })
  if (known !== null) return known
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: 'register', args: [uri] })
  await sendAll(client, [{ what: 'the registration of the service', to: registry, data }])
  const made = await findAgent(client, { registry, uri, startBlock })
  if (made === null) throw new Error(`${registry} registered no agent with the URI ${uri}`)
  return made
}

async function findAgent(
  client: DeployClient,
  { registry, uri, startBlock }: { registry: Address; uri: string; startBlock: number },
): Promise<bigint | null> {
  const head = await client.getBlockNumber({ cacheTime: 0 })
  for (let from = BigInt(startBlock); from <= head; from += BLOCKS_AT_ONCE) {
    const to = from + BLOCKS_AT_ONCE - 1n
    const logs = await client.getContractEvents({
      address: registry,
      abi: identityRegistryAbi,
      eventName: 'Registered',
      args: { owner: client.account.address },
      fromBlock: from,
      toBlock: to < head ? to : head,
      strict: true,
    })
    for (const { args } of logs) {
      if (args.agentURI === uri && (await isOwn(client, registry, args.agentId))) return args.agentId
    }
  }
  return null
}

async function isOwn(client: DeployClient, registry: Address, agentId: bigint): Promise<boolean> {
  const owner = await client.readContract({
    address: registry,
    abi: identityRegistryAbi,
    functionName: 'ownerOf',
    args: [agentId],
  })
  return isAddressEqual(owner, client.account.address)
}
