import {
  type Address,
  encodeDeployData,
  erc20Abi,
  getContractAddress,
  type Hex,
  type LocalAccount,
  zeroAddress,
} from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import { type Artifact, readArtifact, readForwarderBeforeBound } from './artifacts.ts'
import type { BonusSetup, RewardToken } from './bonus-setup.ts'
import { connect, type DeployClient, sendAll } from './chain.ts'
import { configureForwarder } from './configure-forwarder.ts'
import { findDeploymentBlock, listMissing, type Piece, toPiece } from './create2.ts'
import { linkBytecode, listAllLibraries } from './link.ts'
import { installStandIns } from './local-chain.ts'
import { foundationsOf, localNetwork, type Network, readNetwork } from './network.ts'
import { planLibraries } from './plan-libraries.ts'
import { registerService } from './register-service.ts'

export { mintLocalUsdc } from './local-chain.ts'

/** Where everything is on one chain; `startBlock` is the first block with our logs. */
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
  /** Where to read the logs of the identity registry from; absent: from `startBlock` on. */
  identityStartBlock?: number
  /** True for a chain of one machine; absent elsewhere. */
  local?: true
}

export type DeployOptions = {
  rpcUrl: string
  /** Private key or account that pays, and that owns the forwarder until `owner` accepts it. */
  deployer: Hex | LocalAccount
  /** Installs stand-ins for USDC, Multicall3 and the registries (anvil only). */
  local: boolean
  /** Accounts that may relay. Others that may already are left alone. */
  relayers: Address[]
  owner: Address
  /** Vetoes announced refunds of prepaid money, never a relayer; none unless given. */
  guardian?: Address
  feeRecipient: Address
  /** Platform fee in basis points; 750 unless given. */
  feeBps?: number
  /** First word of signed messages; `service` unless given. */
  serviceName?: string
  /** Where clients reach the service, without a trailing slash: the start of default agent URIs. */
  publicBaseUrl: string
  /** A programme of token bonuses; the market's owner makes it a default hook. */
  bonus?: { token: RewardToken; setup: BonusSetup }
  /** Registers the service itself with the identity registry. */
  registerService?: boolean
  /** Deploys the forwarder of before bound payments: for tests of deployments whose file has no `bound`. */
  beforeBound?: boolean
  /** Chain, USDC and registries to deploy to; those of the chain's own file in `deployments/` unless given. */
  network?: Network
}

/**
 * Deploys market, libraries, forwarder and identity registrar through the deterministic deployer and sets routes and
 * relayers. Does only what is missing, so it can be run again at any time. The contracts must be compiled
 * (`scripts/contracts/build.ts`).
 * @throws for a chain or a reward token that it cannot use, when a transaction reverts, or when the forwarder lacks a setting
 * and has another owner
 */
export async function deployAll(options: DeployOptions): Promise<Deployment> {
  if (options.local) await installStandIns(options.rpcUrl)
  const client = await connect(options.rpcUrl, options.deployer)
  const network = options.network ?? (options.local ? localNetwork : readNetwork(String(client.chain.id)))
  await refuseForeignChain(client, network)
  if (options.bonus !== undefined) await refuseUnusableToken(client, options.bonus.token)
  const { pieces, market, forwarder, identityRegistrar, vaults, bonus, libraries } = planPieces(
    client.account.address,
    { ...options, network },
  )
  await sendAll(client, await listMissing(client, pieces))
  const { relayers, owner, guardian } = options
  await configureForwarder(client, forwarder, {
    market,
    identityRegistrar,
    sponsoredTasksHook: vaults.sponsoredTasksHook,
    sponsoredVaultFactory: vaults.sponsoredVaultFactory,
    bonusHook: bonus?.bonusHook,
    guardian,
    relayers,
    owner,
  })
  const startBlock = await findStartBlock(client, [market, forwarder])
  const { publicBaseUrl } = options
  const foundations = foundationsOf(network)
  const registry = foundations.identityRegistry
  const { startBlock: identityStartBlock } = network.registries.identityRegistry
  const deployment: Deployment = {
    chainId: client.chain.id,
    name: network.name,
    market,
    forwarder,
    ...(options.beforeBound !== true && { bound: true }),
    ...foundations,
    usdcDomain: await readDomain(client, foundations.usdc),
    identityRegistrar,
    ...vaults,
    ...bonus,
    ...(options.registerService === true && {
      serviceAgentId: String(await registerService(client, { registry, publicBaseUrl, startBlock })),
    }),
    startBlock,
    libraries,
    ...(network.explorer !== undefined && { explorer: network.explorer }),
    ...(identityStartBlock !== undefined && { identityStartBlock }),
  }
  return deployment
}

/** Without the contracts that ours stand on, everything would deploy well and nothing would work. */
async function refuseForeignChain(client: DeployClient, network: Network): Promise<void> {
  const { id } = client.chain
  if (id !== network.chainId) throw new Error(`the node is of chain ${id}, ${network.name} is chain ${network.chainId}`)
  for (const [name, address] of Object.entries(foundationsOf(network))) {
    if ((await client.getCode({ address })) !== undefined) continue
    throw new Error(`chain ${id} has no ${name} at ${address}, which its deployment file names; on anvil: --local`)
  }
}

/** The programme cannot be deployed for a token without decimals, and the deployer shows no reason of a constructor. */
async function refuseUnusableToken(client: DeployClient, token: RewardToken): Promise<void> {
  if (token === 'local') return
  try {
    await client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' })
  } catch (cause) {
    throw new Error(`${token} cannot be the reward token: it does not answer decimals()`, { cause })
  }
}

/**
 * Every contract with its address. Market and registrar know the forwarder from birth, so the forwarder comes first.
 */
function planPieces(deployer: Address, options: DeployOptions & { network: Network }) {
  const { usdc, identityRegistry, reputationRegistry } = foundationsOf(options.network)
  const marketArtifact = readArtifact('TaskMarket')
  const libraryPieces = planLibraries(listAllLibraries(marketArtifact))
  const libraries = Object.fromEntries(libraryPieces.map(({ name, address }) => [name, address]))

  const forwarderArtifact = options.beforeBound === true ? readForwarderBeforeBound() : readArtifact('PaymentForwarder')
  const forwarder = plan(forwarderArtifact, {}, [deployer, usdc, options.serviceName ?? 'service'])
  const setup = {
    owner: options.owner,
    usdc,
    forwarder: forwarder.address,
    feeRecipient: options.feeRecipient,
    feeBps: options.feeBps ?? 750,
    identityRegistry,
    reputationRegistry,
  }
  const market = plan(marketArtifact, libraries, [setup])
  const registrar = plan(readArtifact('IdentityRegistrar'), {}, [
    identityRegistry,
    forwarder.address,
    `${options.publicBaseUrl}/api/agents/`,
  ])
  const vaultHook = plan(readArtifact('SponsoredTasksHook'), {}, [market.address])
  const bonus = options.bonus && planBonus(market.address, options.owner, options.bonus)
  const pieces: Piece[] = [...libraryPieces, forwarder, market, registrar, vaultHook, ...(bonus?.pieces ?? [])]
  return {
    pieces,
    bonus: bonus && { bonusHook: bonus.bonusHook, rewardToken: bonus.rewardToken },
    market: market.address,
    forwarder: forwarder.address,
    identityRegistrar: registrar.address,
    vaults: {
      sponsoredTasksHook: vaultHook.address,
      // The first contract that the hook creates, in its constructor.
      sponsoredVaultFactory: getContractAddress({ from: vaultHook.address, nonce: 1n }),
    },
    libraries: { ...libraries, ...bonus?.libraries },
  }
}

/** The programme comes last: it asks the market for the forwarder, and the forwarder for the name of the service. */
function planBonus(market: Address, owner: Address, { token, setup }: NonNullable<DeployOptions['bonus']>) {
  const artifact = readArtifact('BonusHook')
  const libraryPieces = planLibraries(listAllLibraries(artifact))
  const libraries = Object.fromEntries(libraryPieces.map(({ name, address }) => [name, address]))
  const tokenPieces = token === 'local' ? [plan(readArtifact('LocalRewardToken'), {}, [owner])] : []
  const rewardToken = token === 'local' ? (tokenPieces[0]?.address ?? zeroAddress) : token
  const hook = plan(artifact, libraries, [{ owner, market, token: rewardToken, ...setup }])
  return {
    pieces: [...libraryPieces, ...tokenPieces, hook],
    bonusHook: hook.address,
    rewardToken,
    libraries,
  }
}

function plan(artifact: Artifact, libraries: Record<string, Address>, args: readonly unknown[]): Piece {
  const bytecode = linkBytecode(artifact, libraries)
  return toPiece(artifact.name, encodeDeployData({ abi: artifact.abi, bytecode, args }))
}

async function findStartBlock(client: DeployClient, addresses: Address[]): Promise<number> {
  return Math.min(...(await Promise.all(addresses.map((address) => findDeploymentBlock(client, address)))))
}

/** The token's own word: another domain than it has would make every payment void. */
async function readDomain(client: DeployClient, usdc: Address): Promise<Deployment['usdcDomain']> {
  const token = { address: usdc, abi: usdcAbi } as const
  const [name, version] = await Promise.all([
    client.readContract({ ...token, functionName: 'name' }),
    client.readContract({ ...token, functionName: 'version' }),
  ])
  return { name, version }
}
