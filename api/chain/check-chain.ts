import { createPublicClient, domainSeparator } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { usdcAbi } from '../../abis/usdc.ts'
import { transferTypedData } from '../../protocol/signed/transfer-authorization.ts'
import type { NodeSet } from '../nodes/node-set.ts'
import { nodesTransport } from '../nodes/nodes-transport.ts'
import type { Deployment } from './deployment.ts'

export interface ChainCheck {
  nodes: NodeSet
  deployment: Deployment
  /** First word of signed messages, as the service will build them. */
  serviceName: string
  relayers: readonly `0x${string}`[]
}

/**
 * Refuses a chain on which the service could not keep its word: another chain, contracts that are not each other's,
 * another name in signed messages, a token that signs in another domain, accounts that may not relay.
 * @throws Error naming every difference
 */
export async function checkChain({ nodes, deployment, serviceName, relayers }: ChainCheck): Promise<void> {
  const client = createPublicClient({ transport: nodesTransport(nodes, { retryCount: 3 }) })
  const chainId = await client.getChainId()
  if (chainId !== deployment.chainId) {
    throw new Error(`the RPC URL leads to chain ${chainId}, the contracts are on chain ${deployment.chainId}`)
  }
  const { forwarder, market, usdc } = deployment
  const fromForwarder = { address: forwarder, abi: paymentForwarderAbi } as const
  const [forwarderUsdc, marketForwarder, name, separator, ...allowed] = await Promise.all([
    client.readContract({ ...fromForwarder, functionName: 'usdc' }),
    client.readContract({ address: market, abi: taskMarketAbi, functionName: 'forwarder' }),
    client.readContract({ ...fromForwarder, functionName: 'serviceName' }),
    client.readContract({ address: usdc, abi: usdcAbi, functionName: 'DOMAIN_SEPARATOR' }),
    ...relayers.map((relayer) => client.readContract({ ...fromForwarder, functionName: 'relayers', args: [relayer] })),
  ])
  const refused = relayers.filter((_, index) => allowed[index] !== true)
  const problems = [
    forwarderUsdc.toLowerCase() !== usdc && `the forwarder takes ${forwarderUsdc}, not USDC at ${usdc}`,
    marketForwarder.toLowerCase() !== forwarder &&
      `the market trusts ${marketForwarder}, not the forwarder ${forwarder}`,
    name !== serviceName && `the forwarder checks messages of "${name}", SERVICE_NAME is "${serviceName}"`,
    separator !== domainSeparator(transferTypedData(deployment)) && 'USDC signs in another EIP-712 domain than ours',
    refused.length > 0 && `the forwarder lets no call through from ${refused.join(', ')}`,
  ].filter((problem) => problem !== false)
  if (problems.length > 0) throw new Error(`The service cannot work on this chain:\n  ${problems.join('\n  ')}`)
}
