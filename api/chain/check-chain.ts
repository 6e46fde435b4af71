import { BaseError, ContractFunctionZeroDataError, createPublicClient, domainSeparator } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { usdcAbi } from '../../abis/usdc.ts'
import { transferTypedData } from '../../protocol/signed/transfer-authorization.ts'
import { type SettingProblem, SettingsError } from '../../settings/read-settings.ts'
import type { SignerKind } from '../../settings/signer-urls.ts'
import type { NodeSet } from '../nodes/node-set.ts'
import { nodesTransport } from '../nodes/nodes-transport.ts'
import type { Deployment } from './deployment.ts'

export interface ChainCheck {
  nodes: NodeSet
  deployment: Deployment
  /** The service's name. The service's signed messages begin with it. */
  serviceName: string
  relayers: readonly { address: `0x${string}`; kind: SignerKind }[]
}

/**
 * Checks that the service can work on the chain:
 * - the chain id, and the links between the contracts
 * - the service name in the forwarder, and the token's EIP-712 domain
 * - the rights of the relayers
 * @throws SettingsError that lists all differences
 */
export async function checkChain({ nodes, deployment, serviceName, relayers }: ChainCheck): Promise<void> {
  const client = createPublicClient({ transport: nodesTransport(nodes, { retryCount: 3 }) })
  const chainId = await client.getChainId()
  if (chainId !== deployment.chainId) {
    const problem = `leads to chain ${chainId}, and the contracts are on chain ${deployment.chainId}`
    throw new SettingsError([{ setting: 'RPC_URL', problem }])
  }
  const { forwarder, market, usdc } = deployment
  const fromForwarder = { address: forwarder, abi: paymentForwarderAbi } as const
  const reading = Promise.all([
    client.readContract({ ...fromForwarder, functionName: 'usdc' }),
    client.readContract({ address: market, abi: taskMarketAbi, functionName: 'forwarder' }),
    client.readContract({ ...fromForwarder, functionName: 'serviceName' }),
    client.readContract({ address: usdc, abi: usdcAbi, functionName: 'DOMAIN_SEPARATOR' }),
    listRefusedRelayers({ nodes, deployment, relayers: relayers.map(({ address }) => address) }),
  ])
  const [forwarderUsdc, marketForwarder, name, separator, refusedRelayers] = await reading.catch(toProblem)
  const problems: (SettingProblem | false)[] = [
    forwarderUsdc.toLowerCase() !== usdc && inFile(`the forwarder takes ${forwarderUsdc}, not USDC at ${usdc}`),
    marketForwarder.toLowerCase() !== forwarder &&
      inFile(`the market trusts ${marketForwarder}, not the forwarder ${forwarder}`),
    name !== serviceName && {
      setting: 'SERVICE_NAME',
      problem: `is "${serviceName}", and the forwarder checks messages of "${name}"`,
    },
    separator !== domainSeparator(transferTypedData(deployment)) &&
      inFile('USDC signs in another EIP-712 domain than `usdcDomain`'),
    refusedRelayers.length > 0 && {
      setting: settingOf(relayers.find(({ address }) => refusedRelayers.includes(address))?.kind),
      problem: `the forwarder takes no call from ${refusedRelayers.join(', ')}: its owner allows them with setRelayer (npm run relayer -- add)`,
    },
  ]
  const differences = problems.filter((problem) => problem !== false)
  if (differences.length > 0) throw new SettingsError(differences)
}

/** Lists the relayers whose calls the forwarder refuses. */
export async function listRefusedRelayers({
  nodes,
  deployment,
  relayers,
}: Pick<ChainCheck, 'nodes' | 'deployment'> & { relayers: readonly `0x${string}`[] }): Promise<`0x${string}`[]> {
  const client = createPublicClient({ transport: nodesTransport(nodes, { retryCount: 3 }) })
  const contract = { address: deployment.forwarder, abi: paymentForwarderAbi, functionName: 'relayers' } as const
  const permissions = await Promise.all(
    relayers.map((relayer) => client.readContract({ ...contract, args: [relayer] })),
  )
  return relayers.filter((_, index) => permissions[index] !== true)
}

function settingOf(kind: SignerKind | undefined): string {
  return kind === undefined || kind === 'raw' ? 'RELAYER_KEYS' : 'RELAYER_SIGNERS'
}

function inFile(problem: string): SettingProblem {
  return { setting: 'DEPLOYMENT_FILE', problem }
}

/**
 * Throws the error of a failed read again. If no contract answers at the address, throws instead an error that tells
 * the operator what is wrong.
 * @throws SettingsError if no contract answers at the address; otherwise the unchanged error
 */
function toProblem(error: unknown): never {
  const isEmpty = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError)
  if (!isEmpty) throw error
  const { contractAddress, functionName } = error as { contractAddress?: string; functionName?: string }
  throw new SettingsError([
    inFile(`the contract at ${contractAddress} answers nothing to ${functionName}: it is not deployed on this chain`),
  ])
}
