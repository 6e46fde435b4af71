import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  domainSeparator,
  erc20Abi,
  type Hex,
  type LocalAccount,
  zeroAddress,
  zeroHash,
} from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import { create2Deployer } from './addresses.ts'
import type { RewardToken } from './bonus-setup.ts'
import { connect, type ReadClient } from './chain.ts'
import { findDeploymentBlock } from './create2.ts'
import { executePlan } from './deployment/execute.ts'
import { type Plan, planDeployment } from './deployment/plan.ts'
import { type Setup, setupDefaults } from './deployment/setup.ts'
import { installStandIns } from './local-chain.ts'
import { foundationsOf, localNetwork, type Network, readNetwork } from './network.ts'
import { registerService } from './register-service.ts'

export { mintLocalUsdc } from './local-chain.ts'

/** The addresses of a deployment on one chain; `startBlock` is the first block with its logs. */
export type Deployment = {
  chainId: number
  /** Name of the network: `base`. */
  name: string
  market: Address
  forwarder: Address
  usdc: Address
  /** Name and version of USDC's EIP-712 domain, as the token says them. */
  usdcDomain: { name: string; version: string }
  multicall3: Address
  identityRegistry: Address
  reputationRegistry: Address
  identityRegistrar: Address
  /** The forwarder takes bound payments; absent: deployed before there were any. */
  bound?: true
  /** Absent: deployed before there were sponsored vaults. */
  sponsoredTasksHook?: Address
  sponsoredVaultFactory?: Address
  /** Absent: no programme was deployed. */
  bonusHook?: Address
  rewardToken?: Address
  /** The service's own id in the identity registry, decimal; absent: it was not registered. */
  serviceAgentId?: string
  startBlock: number
  libraries: Record<string, Address>
  explorer?: string
  /** First block of the identity registry's logs; absent: `startBlock`. */
  identityStartBlock?: number
  /** True for a chain of one machine; absent elsewhere. */
  local?: true
}

/** A setup with optional fee and name of the service, and the way it is sent to a chain. */
export type DeployOptions = Omit<Setup, 'deployer' | keyof typeof setupDefaults> &
  Partial<Pick<Setup, keyof typeof setupDefaults>> & {
    rpcUrl: string
    /** Private key or account that pays, and that owns the forwarder until `owner` accepts it. */
    deployer: Hex | LocalAccount
    /** Installs stand-ins for USDC, Multicall3 and the registries (anvil only). */
    local: boolean
    /** Registers the service itself with the identity registry. */
    registerService?: boolean
    /** Deploys the forwarder of before bound payments: for tests of deployments whose file has no `bound`. */
    beforeBound?: boolean
    /** Chain, USDC and registries to deploy to; those of the chain's own file in `deployments/` unless given. */
    network?: Network
  }

/**
 * Puts a deployment on a chain, for stacks and tests that have the deployer's key (people use `npm run deploy`): market,
 * libraries, forwarder, registrar and hooks through the deterministic deployer, then the settings of the forwarder. Sends only
 * what is missing, so it can be run again at any time. The contracts must be compiled (`scripts/contracts/build.ts`).
 * @throws for a chain or a reward token that it cannot use, when a transaction reverts, or when the forwarder lacks a setting
 * and has another owner
 */
export async function deployAll(options: DeployOptions): Promise<Deployment> {
  const {
    rpcUrl,
    deployer,
    local,
    registerService: isRegistered,
    beforeBound,
    network: networkOption,
    ...setup
  } = options
  if (local) await installStandIns(rpcUrl)
  const client = await connect(rpcUrl, deployer)
  const network = networkOption ?? (local ? localNetwork : readNetwork(String(client.chain.id)))
  await refuseForeignChain(client, network)
  if (setup.bonus !== undefined) await refuseUnusableToken(client, setup.bonus.token)
  const plan = planDeployment(
    network,
    { ...setupDefaults, ...setup, deployer: client.account.address },
    { beforeBound: beforeBound === true },
  )
  await executePlan(client, plan)
  const { bound, ...deployment } = await describeDeployment(client, plan)
  const registry = deployment.identityRegistry
  const { startBlock } = deployment
  return {
    ...deployment,
    ...(beforeBound !== true && { bound }),
    ...(isRegistered === true && {
      serviceAgentId: String(
        await registerService(client, { registry, publicBaseUrl: setup.publicBaseUrl, startBlock }),
      ),
    }),
  }
}

/** Reads the addresses of an executed plan, and its facts on the chain. */
export async function describeDeployment(client: ReadClient, plan: Plan): Promise<Deployment & { bound: true }> {
  const { network, addresses, libraries, rewardToken } = plan
  const foundations = foundationsOf(network)
  const { startBlock: identityStartBlock } = network.registries.identityRegistry
  return {
    chainId: network.chainId,
    name: network.name,
    bound: true,
    ...addresses,
    ...foundations,
    usdcDomain: await readDomain(client, foundations.usdc),
    ...(rewardToken !== undefined && { rewardToken }),
    startBlock: await findStartBlock(client, [addresses.market, addresses.forwarder]),
    libraries,
    ...(network.explorer !== undefined && { explorer: network.explorer }),
    ...(identityStartBlock !== undefined && { identityStartBlock }),
  }
}

/**
 * Refuses a chain without the contracts that ours depend on: everything would deploy, and nothing would work.
 * @throws Error if the node is of another chain than the network, or the chain lacks such a contract
 */
export async function refuseForeignChain(client: ReadClient, network: Network): Promise<void> {
  const { id } = client.chain
  if (id !== network.chainId) {
    throw new Error(
      `the node is of chain ${id}, ${network.name} is chain ${network.chainId}: name a node of ${network.name} (--rpc-url), or another network`,
    )
  }
  for (const [name, address] of Object.entries(foundationsOf(network))) {
    if ((await client.getCode({ address })) !== undefined) continue
    throw new Error(`chain ${id} has no ${name} at ${address}, which its deployment file names; on anvil: --local`)
  }
  if ((await client.getCode({ address: create2Deployer })) === undefined) {
    throw new Error(
      `chain ${id} has no deterministic deployer at ${create2Deployer}, which makes our contracts: send its signed transaction first ` +
        '(https://github.com/Arachnid/deterministic-deployment-proxy), or ask the operators of the chain for it.',
    )
  }
  await refuseUnusableUsdc(client, network)
}

/** Refuses a USDC without signed transfers or with another signing domain: no payment would work. */
async function refuseUnusableUsdc(client: ReadClient, network: Network): Promise<void> {
  const { address } = network.usdc
  const token = { address, abi: usdcAbi } as const
  const nonce = { functionName: 'authorizationState', args: [zeroAddress, zeroHash] } as const
  const [{ name, version }, separator] = await Promise.all([
    readDomain(client, address),
    client.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' }),
    client.readContract({ ...token, ...nonce }),
  ]).catch((cause) => {
    if (!isRefusal(cause)) throw cause
    throw new Error(
      `${address} cannot be the USDC of chain ${client.chain.id}: it does not answer name(), version(), DOMAIN_SEPARATOR() and authorizationState(), as a token with ERC-3009 does`,
      { cause },
    )
  })
  const domain = { name, version, chainId: client.chain.id, verifyingContract: address }
  if (domainSeparator({ domain }) === separator) return
  throw new Error(
    `${address} cannot be the USDC of chain ${client.chain.id}: its DOMAIN_SEPARATOR() is not that of ${name}, version ${version}, so that it would refuse every signed payment`,
  )
}

/** The contract answered, by a revert or with nothing; the node may fail for other reasons. */
function isRefusal(error: unknown): boolean {
  const refusals = [ContractFunctionRevertedError, ContractFunctionZeroDataError]
  return error instanceof BaseError && error.walk((cause) => refusals.some((kind) => cause instanceof kind)) !== null
}

/** Refuses a reward token without decimals: the programme's constructor reverts for it, and the deployer shows no reason. */
export async function refuseUnusableToken(client: ReadClient, token: RewardToken): Promise<void> {
  if (token === 'local') return
  try {
    await client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' })
  } catch (cause) {
    throw new Error(`${token} cannot be the reward token: it does not answer decimals()`, { cause })
  }
}

async function findStartBlock(client: ReadClient, addresses: Address[]): Promise<number> {
  return Math.min(...(await Promise.all(addresses.map((address) => findDeploymentBlock(client, address)))))
}

/** Reads the signing domain from the token. With another domain every payment would be void. */
export async function readDomain(client: ReadClient, usdc: Address): Promise<Deployment['usdcDomain']> {
  const token = { address: usdc, abi: usdcAbi } as const
  const [name, version] = await Promise.all([
    client.readContract({ ...token, functionName: 'name' }),
    client.readContract({ ...token, functionName: 'version' }),
  ])
  return { name, version }
}
