import { type Address, encodeAbiParameters, getContractAddress, type Hex, zeroAddress } from 'viem'
import { type Artifact, readArtifact, readForwarderBeforeBound } from '../artifacts.ts'
import { type Piece, toCreation, toPiece } from '../create2.ts'
import { linkBytecode, listAllLibraries } from '../link.ts'
import { foundationsOf, type Network } from '../network.ts'
import { planLibraries } from '../plan-libraries.ts'
import { listForwarderSteps } from './forwarder-steps.ts'
import type { Setup } from './setup.ts'
import { type Step, stages } from './step.ts'

/** A contract that another contract of the plan creates in its constructor. */
export type Created = { name: string; address: Address; constructorArguments: Hex }

/** Addresses of the project's contracts. The field names are those of a deployment file. */
export interface Addresses {
  market: Address
  forwarder: Address
  identityRegistrar: Address
  sponsoredTasksHook: Address
  sponsoredVaultFactory: Address
  bonusHook?: Address
}

/**
 * A whole deployment, computed from the compiled contracts, the network and the setup. `npm run deploy` sends the
 * plan's steps that the chain lacks. A dry run prints the plan. A check compares the chain with the plan.
 */
export interface Plan {
  network: Network
  setup: Setup
  addresses: Addresses
  rewardToken?: Address
  libraries: Record<string, Address>
  created: Created[]
  /** Steps in the order of their transactions. */
  steps: Step[]
}

/** Contracts that are deployed in the same stage. */
type Layer = { stage: number; pieces: Piece[] }

/**
 * Computes the plan of a deployment. @param options.beforeBound true for the old forwarder, which does not know bound
 * payments (only for tests)
 */
export function planDeployment(network: Network, setup: Setup, options: { beforeBound?: boolean } = {}): Plan {
  const { usdc, identityRegistry, reputationRegistry } = foundationsOf(network)
  const marketArtifact = readArtifact('TaskMarket')
  const libraryPieces = planLibraries(listAllLibraries(marketArtifact))
  const libraries = toAddresses(libraryPieces)
  const forwarderArtifact = options.beforeBound === true ? readForwarderBeforeBound() : readArtifact('PaymentForwarder')
  // Market and registrar get its address in their constructors.
  const forwarder = plan(forwarderArtifact, {}, [setup.deployer, usdc, setup.serviceName])
  const { owner, feeRecipient, feeBps } = setup
  const terms = {
    owner,
    usdc,
    forwarder: forwarder.address,
    feeRecipient,
    feeBps,
    identityRegistry,
    reputationRegistry,
  }
  const market = plan(marketArtifact, libraries, [terms])
  const uriBase = `${setup.publicBaseUrl}/api/agents/`
  const registrar = plan(readArtifact('IdentityRegistrar'), {}, [identityRegistry, forwarder.address, uriBase])
  const vaultHook = plan(readArtifact('SponsoredTasksHook'), {}, [market.address])
  const createdContracts = planCreated(vaultHook.address, market.address)
  const bonus = setup.bonus && planBonus(market.address, owner, setup.bonus)
  const addresses = {
    market: market.address,
    forwarder: forwarder.address,
    identityRegistrar: registrar.address,
    sponsoredTasksHook: vaultHook.address,
    sponsoredVaultFactory: createdContracts[0].address,
    ...(bonus && { bonusHook: bonus.hook.address }),
  }
  const layers: Layer[] = [
    { stage: stages.libraries, pieces: [...libraryPieces, forwarder] },
    { stage: stages.market, pieces: [market, registrar] },
    { stage: stages.hooks, pieces: [vaultHook] },
    ...(bonus?.layers ?? []),
  ]
  const creations = layers.flatMap(({ stage, pieces }) => pieces.map((piece) => toCreationStep(stage, piece)))
  return {
    network,
    setup,
    addresses,
    ...(bonus && { rewardToken: bonus.token }),
    libraries: { ...libraries, ...bonus?.libraries },
    created: createdContracts,
    steps: [
      ...creations.toSorted((first, second) => first.stage - second.stage),
      ...listForwarderSteps({ ...addresses, ...setup }),
    ],
  }
}

/**
 * Returns the contracts that the constructor of the sponsored-tasks hook creates: the vault factory, and the vault that
 * this factory creates first.
 */
function planCreated(hook: Address, market: Address): [Created, Created] {
  const factory = getContractAddress({ from: hook, nonce: 1n })
  return [
    {
      name: 'SponsoredVaultFactory',
      address: factory,
      constructorArguments: encodeArguments(readArtifact('SponsoredVaultFactory'), [market]),
    },
    {
      name: 'SponsoredVault',
      address: getContractAddress({ from: factory, nonce: 1n }),
      constructorArguments: encodeArguments(readArtifact('SponsoredVault'), [hook, market]),
    },
  ]
}

/**
 * Plans the bonus programme: its libraries, its hook, and its token if the setup has `local`. The forwarder's address
 * and the service's name are not arguments: the hook's constructor reads them from the market and the forwarder.
 */
function planBonus(market: Address, owner: Address, { token, setup }: NonNullable<Setup['bonus']>) {
  const artifact = readArtifact('BonusHook')
  const libraryPieces = planLibraries(listAllLibraries(artifact))
  const libraries = toAddresses(libraryPieces)
  const tokenPieces = token === 'local' ? [plan(readArtifact('LocalRewardToken'), {}, [owner])] : []
  const rewardToken = token === 'local' ? (tokenPieces[0]?.address ?? zeroAddress) : token
  const hook = plan(artifact, libraries, [{ owner, market, token: rewardToken, ...setup }])
  const layers: Layer[] = [
    { stage: stages.libraries, pieces: [...libraryPieces, ...tokenPieces] },
    { stage: stages.hooks, pieces: [hook] },
  ]
  return { layers, hook, token: rewardToken, libraries }
}

function plan(artifact: Artifact, libraries: Record<string, Address>, args: readonly unknown[]): Piece {
  return toPiece(artifact.name, linkBytecode(artifact, libraries), encodeArguments(artifact, args))
}

function encodeArguments({ name, abi }: Artifact, args: readonly unknown[]): Hex {
  const declaration = abi.find((item) => item.type === 'constructor')
  if (declaration?.type !== 'constructor') throw new Error(`${name} has no constructor`)
  return encodeAbiParameters(declaration.inputs, args)
}

function toCreationStep(stage: number, piece: Piece): Step {
  return {
    stage,
    what: `deploying ${piece.name}`,
    ...toCreation(piece),
    piece,
    expected: 'has code',
    read: async (client) => ((await client.getCode({ address: piece.address })) === undefined ? 'no code' : 'has code'),
  }
}

function toAddresses(pieces: Piece[]): Record<string, Address> {
  return Object.fromEntries(pieces.map(({ name, address }) => [name, address]))
}
