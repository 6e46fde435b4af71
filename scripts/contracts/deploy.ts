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

/**
 * The addresses of a deployment on one chain. `startBlock` is the first block that can contain logs of the contracts.
 */
export type Deployment = {
  chainId: number
  /** Name of the network: `base`. */
  name: string
  market: Address
  forwarder: Address
  usdc: Address
  /** Name and version of USDC's EIP-712 domain, as the token contract returns them. */
  usdcDomain: { name: string; version: string }
  multicall3: Address
  identityRegistry: Address
  reputationRegistry: Address
  identityRegistrar: Address
  /** True if the forwarder accepts bound payments. Absent for a deployment that is older than bound payments. */
  bound?: true
  /** Absent for a deployment that is older than sponsored vaults. */
  sponsoredTasksHook?: Address
  sponsoredVaultFactory?: Address
  /** Absent if no bonus programme was deployed. */
  bonusHook?: Address
  rewardToken?: Address
  /** The id of the service's own agent in the identity registry, decimal. Absent if the service was not registered. */
  serviceAgentId?: string
  startBlock: number
  libraries: Record<string, Address>
  explorer?: string
  /** First block with logs of the identity registry. Absent: the same as `startBlock`. */
  identityStartBlock?: number
  /** True for a local chain, which runs on one machine; absent for any other chain. */
  local?: true
}

/**
 * The options of `deployAll`: the setup of a deployment, the node to send it to, and the account that sends it. The
 * platform fee and the service's name have defaults.
 */
export type DeployOptions = Omit<Setup, 'deployer' | keyof typeof setupDefaults> &
  Partial<Pick<Setup, keyof typeof setupDefaults>> & {
    rpcUrl: string
    /**
     * Private key or account that pays for the transactions. This account owns the forwarder until `owner` accepts the
     * ownership.
     */
    deployer: Hex | LocalAccount
    /** True to install local versions of USDC, Multicall3 and the registries (anvil only). */
    local: boolean
    /** True to register the service itself as an agent in the identity registry. */
    registerService?: boolean
    /** True to deploy the old forwarder, which does not know bound payments, for tests of such deployments. */
    beforeBound?: boolean
    /** The chain, and the USDC and registries on it. Default: the file of this chain in `deployments/`. */
    network?: Network
  }

/**
 * Deploys the contracts to a chain. Stacks and tests use this function, because they have the deployer's key; people
 * use `npm run deploy`. The deterministic deployer creates the market, the libraries, the forwarder, the registrar and
 * the hooks. Then the forwarder gets its settings. The function sends only what the chain lacks, so it can be repeated
 * at any time. The contracts must be compiled (`scripts/contracts/build.ts`).
 * @throws if the chain or the reward token cannot be used, if a transaction reverts, or if the forwarder lacks a
 * setting and another account owns it
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

/**
 * Reads the deployment that a completed plan has created: the plan's addresses, and facts from the chain such as the
 * first block.
 */
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
 * Refuses a chain without the external contracts that the market needs. A deployment to such a chain would succeed, but
 * the market would not work.
 * @throws Error if the node's chain is not the chain of the network, or if the chain lacks such a contract
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

/**
 * Refuses a USDC contract that does not support signed transfers, or that has another signing domain than the network's
 * file states. No payment would work with such a contract.
 */
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

/**
 * Returns true if an error means that the contract answered with a revert or with no data. Other errors are failures of
 * the node.
 */
function isRefusal(error: unknown): boolean {
  const refusals = [ContractFunctionRevertedError, ContractFunctionZeroDataError]
  return error instanceof BaseError && error.walk((cause) => refusals.some((kind) => cause instanceof kind)) !== null
}

/**
 * Refuses a reward token without `decimals()`. The constructor of the bonus programme would revert for such a token,
 * and the deterministic deployer does not return the reason of a revert.
 */
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

/**
 * Reads the name and the version of the signing domain from the USDC contract. A payment that is signed for another
 * domain is invalid.
 */
export async function readDomain(client: ReadClient, usdc: Address): Promise<Deployment['usdcDomain']> {
  const token = { address: usdc, abi: usdcAbi } as const
  const [name, version] = await Promise.all([
    client.readContract({ ...token, functionName: 'name' }),
    client.readContract({ ...token, functionName: 'version' }),
  ])
  return { name, version }
}
