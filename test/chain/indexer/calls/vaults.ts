import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { type Address, encodeAbiParameters, type Hex, keccak256, maxUint256, zeroAddress, zeroHash } from 'viem'
import { sponsoredTasksHookAbi } from '../../../../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultAbi } from '../../../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../../../abis/task-market.ts'
import { usdcAbi } from '../../../../abis/usdc.ts'
import { toModeSelector } from '../../../../protocol/rules/selectors.ts'
import { listLeaves, type SettlementLeaf } from '../../../../protocol/rules/settlement-leaves.ts'
import { claimTypedData } from '../../../../protocol/signed/vault-claim.ts'
import { termsHashOf } from '../../../../protocol/terms-hash.ts'
import { devAccount } from '../../../../scripts/chain/dev-accounts.ts'
import { localNetwork } from '../../../../scripts/contracts/network.ts'
import { aBounty } from '../../rules/bounties.ts'
import { logsOf } from '../expectation.ts'
import { actorAddresses, actors, direct, type Environment, market } from '../market-calls.ts'
import { type Call, encodeCall, type MarketChain } from '../market-chain.ts'
import type { Random } from '../random.ts'
import {
  type CreatedVault,
  pickLogs,
  readCreatedVaults,
  readVaultLogs,
  toTreeLeaf,
  treeLeafTypes,
  type VaultLog,
  vaultsOf,
  viewsOfVault,
} from '../vault-chain.ts'
import { bonusOf } from './bonus.ts'

/** A vault of the chain, with its logs. */
interface Vault extends CreatedVault {
  logs: VaultLog[]
}

const sponsors = [devAccount('owner').account.address, ...actorAddresses.slice(0, 2)]
const MOST = 2n ** 128n - 1n
/** Time passes by weeks at times. */
const CLAIM_SECONDS = 200n * 86_400n

/** Vaults of the reward token and of USDC, which blacklists. */
export async function startVaults(chain: MarketChain): Promise<void> {
  const { rewardToken } = bonusOf(chain)
  const [owner = zeroAddress, other = zeroAddress] = sponsors
  await openVault(chain, { sponsor: owner, token: rewardToken, salt: zeroHash })
  await openVault(chain, { sponsor: other, token: chain.deployment.usdc, salt: zeroHash })
}

/** About two calls a block: of sponsors, of requesters that charge a vault, of workers that claim. */
export async function chooseVaultCalls(environment: Environment): Promise<Call[]> {
  const { chain, random } = environment
  const vaults = await readVaults(chain)
  const vault = random.pick(vaults.slice(-3))
  if (random.chance(0.02)) {
    const { owner: sponsor, token } = vault
    return openingCalls(chain, { sponsor, token, salt: random.word() })
  }
  const calls = [...administrationCalls(vault, random), ...ownChargerCalls(vault, random)]
  if (random.chance(0.15)) calls.push(...(await ownClaimCalls(environment, vault)))
  if (random.chance(0.6)) calls.push(...(await sponsoredTask(environment, vault)))
  if (random.chance(0.6)) calls.push(...settlementCalls(environment, vault))
  if (random.chance(0.7)) calls.push(...(await claimCalls(environment, vault)))
  return calls
}

async function readVaults(chain: MarketChain): Promise<Vault[]> {
  const created = await readCreatedVaults(chain)
  return Promise.all(created.map(async (one) => ({ ...one, logs: await readVaultLogs(chain, one.vault) })))
}

async function openVault(chain: MarketChain, setup: Opening): Promise<void> {
  for (const call of openingCalls(chain, setup)) await chain.send(call)
  await chain.mine()
  const vault = (await readCreatedVaults(chain)).at(-1) ?? failWith('the vault was not made')
  const settings = [
    toToken(setup.sponsor, setup.token, ['approve', [vault.vault, maxUint256]]),
    toVault(vault, ['setCharger', [vault.hook, true]]),
    toVault(vault, ['setFeeCredit', [MOST]]),
    ...actorAddresses.map((manager) => toVault(vault, ['setManager', [manager, MOST, true]])),
    toVault(vault, ['fund', [fundsOf(setup.token, chain)]]),
  ]
  for (const call of settings) await chain.send(call)
  await chain.mine()
}

interface Opening {
  sponsor: Address
  token: Address
  salt: Hex
}

/** Its settings follow by random calls. */
function openingCalls(chain: MarketChain, { sponsor, token, salt }: Opening): Call[] {
  const data = encodeCall(sponsoredVaultFactoryAbi, 'createVault', [token, salt])
  return [{ from: sponsor, to: vaultsOf(chain).factory, data }]
}

function fundsOf(token: Address, { deployment }: MarketChain): bigint {
  return token === deployment.usdc ? 10n ** 9n : 10n ** 21n
}

function administrationCalls(vault: Vault, random: Random): Call[] {
  const manager = random.pick(actorAddresses)
  const amount = () => BigInt(random.below(1000)) * 10n ** BigInt(random.pick([3, 6, 15]))
  const isReady = pickLogs(vault.logs, 'ManagerSet').length > 3
  const choices: (() => Call)[] = [
    () => toVault(vault, ['setManager', [manager, random.pick([MOST, MOST, amount()]), random.chance(0.9)]]),
    () => toVault(vault, ['setCharger', [vault.hook, random.chance(0.9)]]),
    () => toVault(vault, ['setCharger', [vault.owner, random.chance(0.8)]]),
    () => toVault(vault, ['setFeeCredit', [random.pick([MOST, amount()])]]),
    () => toToken(vault.owner, vault.token, ['approve', [vault.vault, maxUint256]]),
    () => toVault(vault, ['fund', [amount()]]),
    () => toVault(vault, ['withdrawAvailable', [random.pick(actorAddresses), amount()]]),
    () => toVault({ ...vault, owner: random.pick(actorAddresses) }, ['collectFees', []]),
  ]
  const calls = random.chance(isReady ? 0.4 : 1) ? [random.pick(choices)(), random.pick(choices)()] : []
  // An exit ends a vault for good: only some announce it, and others are opened.
  if (random.chance(0.01)) calls.push(toVault(vault, ['announceExit', []]))
  if (pickLogs(vault.logs, 'ExitAnnounced').length > 0 && random.chance(0.2)) {
    calls.push(toVault(vault, ['exit', [random.pick(actorAddresses)]]))
  }
  return calls
}

/** A gift, two charges by the owner as a hook, of which one is credited, and the notice; then the exit, a week later. */
export function exitCalls(vault: CreatedVault): { charges: Call[]; exit: Call } {
  const manager = actorAddresses[0] ?? zeroAddress
  const [credited, reserved] = [keccak256('0x01'), keccak256('0x02')]
  const charges = [
    toToken(vault.owner, vault.token, ['transfer', [vault.vault, 7n]]),
    toToken(vault.owner, vault.token, ['approve', [vault.vault, maxUint256]]),
    toVault(vault, ['fund', [1000n]]),
    toVault(vault, ['setCharger', [vault.owner, true]]),
    toVault(vault, ['setManager', [manager, MOST, true]]),
    toVault(vault, ['charge', [credited, manager, 100n, 0n]]),
    toVault(vault, ['credit', [credited, 60n, 0n, 1n]]),
    toVault(vault, ['charge', [reserved, manager, 100n, 0n]]),
    toVault(vault, ['announceExit', []]),
  ]
  return { charges, exit: toVault(vault, ['exit', [vault.owner]]) }
}

/** The owner as a hook of its own: any task id, any lists, a root that fits neither. */
function ownChargerCalls(vault: Vault, random: Random): Call[] {
  if (!random.chance(0.15)) return []
  const taskId = random.word()
  const credited = BigInt(1 + random.below(1000))
  const worker = random.pick(actorAddresses)
  const workers = Array.from({ length: random.below(4) }, () => worker)
  const [charge, credit, release, settle] = [
    toVault(vault, ['charge', [taskId, worker, credited + 5n, 3n]]),
    toVault(vault, ['credit', [taskId, credited, 2n, 7n]]),
    toVault(vault, ['release', [taskId]]),
    toVault(vault, ['settle', [taskId, random.word(), workers, [credited]]]),
  ] as const
  const allow = [
    toVault(vault, ['setCharger', [vault.owner, true]]),
    toVault(vault, ['setManager', [worker, MOST, true]]),
  ]
  return random.pick([
    [...allow, charge, credit, settle],
    [...allow, charge, release],
    [...allow, charge],
  ])
}

/**
 * The owner as a hook of its own, with a root that its worker claims, twice; at times by an index that no award has and
 * no column holds.
 */
async function ownClaimCalls({ chain, random, now }: Environment, vault: Vault): Promise<Call[]> {
  const worker = random.pick(actors)
  const { address } = worker.account
  const read = viewsOfVault(chain, vault.vault)
  const [epoch, nonce] = await Promise.all([read.epoch(), read.nonceOf([address])])
  const [taskId, amount] = [random.word(), BigInt(1 + random.below(1000))]
  const index = random.pick([0, 3, 255, 256, 2 ** 31])
  const head = { vaultId: vault.vaultId, epoch, taskId }
  const leaf = { index, worker: address, amount }
  const { root } = StandardMerkleTree.of([toTreeLeaf(head, leaf)], treeLeafTypes)
  const destination = random.pick(actorAddresses)
  const claim = { ...head, leaf, destination, nonce, deadline: BigInt(now) + CLAIM_SECONDS }
  return [
    toVault(vault, ['setCharger', [vault.owner, true]]),
    toVault(vault, ['setManager', [address, MOST, true]]),
    toVault(vault, ['charge', [taskId, address, 2n * amount, 0n]]),
    toVault(vault, ['credit', [taskId, 2n * amount, 0n, 1n]]),
    toVault(vault, ['settle', [taskId, root, [address], [2n * amount]]]),
    toVault(vault, ['claimTo', await signedClaim(vault, worker, claim)]),
    toVault(vault, ['claimTo', await signedClaim(vault, worker, { ...claim, nonce: nonce + 1n })]),
  ]
}

/** A task that charges the vault, by any actor; its terms are those that the hook data names, most of the time. */
async function sponsoredTask({ chain, random }: Environment, vault: Vault): Promise<Call[]> {
  const { bonusHook } = bonusOf(chain)
  const read = (functionName: 'feeBps') =>
    chain.client.readContract({ address: chain.deployment.market, abi: taskMarketAbi, functionName })
  const views = viewsOfVault(chain, vault.vault)
  const [feeBps, epoch] = await Promise.all([read('feeBps'), views.epoch()])
  const requester = random.pick(actorAddresses)
  const isClaim = random.chance(0.3)
  const mode = isClaim ? 'claim' : 'bounty'
  const [reward, duration] = [BigInt(1000 + random.below(5_000_000)), 1200 + random.below(9000)]
  const termsHash = termsHashOf({
    mode,
    auctionType: null,
    reward,
    createdAt: 0n,
    expiryTime: BigInt(duration),
    pitchDeadline: null,
    bidDeadline: null,
    clockPrice: null,
    stakeBps: 0,
    tagHashes: [],
    evaluator: null,
    disputeResolver: null,
    evaluatorFeeBps: null,
    evaluationWindow: null,
    appealWindow: null,
    hookSet: hookSetOf([bonusHook], [vault.hook]),
  })
  const gross = random.pick([1n, BigInt(1 + random.below(50)), BigInt(1 + random.below(1_000_000)) * 1000n])
  const hookData = encodeAbiParameters(
    ['uint256', 'bytes32', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'].map((type) => ({ type })),
    [1n, vault.vaultId, requester, gross, epoch, BigInt(feeBps), random.chance(0.95) ? termsHash : random.word()],
  )
  const params = {
    ...aBounty({ reward, duration }),
    mode: toModeSelector(mode),
    contentHash: random.word(),
    hooks: [vault.hook],
    hookData,
  }
  return [
    // Other random calls attach other default hooks, and the terms name them.
    direct(chain, devAccount('owner').account.address, market('setDefaultHooks', [[bonusHook]])),
    direct(chain, requester, market('createTask', [params])),
  ]
}

function hookSetOf(defaults: Address[], others: Address[]): Hex {
  const types = [{ type: 'uint8' }, { type: 'address[]' }] as const
  return keccak256(encodeAbiParameters(types, [defaults.length, [...defaults, ...others]]))
}

/** Reconciles or settles charges of the vault whose task ended, with the awards of its events. */
function settlementCalls({ chain, random, logs }: Environment, vault: Vault): Call[] {
  const settled = new Set(pickLogs(vault.logs, 'SettlementInstalled').map(({ args }) => args.taskId))
  const charged = pickLogs(vault.logs, 'RewardCharged').map(({ args }) => args.taskId)
  const open = charged.filter((taskId) => !settled.has(taskId))
  if (open.length === 0) return []
  const taskId = random.pick(open.slice(-8))
  const awards = logsOf(logs, 'TaskCompleted').filter(({ args }) => args.taskId === taskId)
  const lists = [awards.map(({ args }) => args.worker), awards.map(({ args }) => args.grossAmount)]
  return ['reconcile', 'installSettlement'].map((name) => ({
    from: random.pick(actorAddresses),
    to: vaultsOf(chain).hook,
    data: encodeCall(sponsoredTasksHookAbi, name, [taskId, ...lists]),
  }))
}

/** The claim of a leaf that is not paid, signed by its worker, passed on by any account. */
async function claimCalls({ chain, random, now }: Environment, vault: Vault): Promise<Call[]> {
  const paid = new Set(pickLogs(vault.logs, 'Claimed').map(({ args }) => `${args.taskId}:${args.index}`))
  const leaves = pickLogs(vault.logs, 'SettlementInstalled')
    .filter(({ args }) => isOfHook(vault, args.taskId))
    .flatMap(({ args }) => listLeaves(args.workers, args.amounts).map((leaf) => ({ settlement: args, leaf })))
    .filter(({ settlement, leaf }) => !paid.has(`${settlement.taskId}:${leaf.index}`))
  if (leaves.length === 0) return []
  const { settlement, leaf } = random.pick(leaves)
  const worker = actors.find(({ account }) => account.address === leaf.worker)
  if (worker === undefined) return []
  const { vaultId } = vault
  const { taskId, epoch } = settlement
  const nonce = await viewsOfVault(chain, vault.vault).nonceOf([leaf.worker])
  const destination = random.pick(actorAddresses)
  const claim = { taskId, epoch, leaf, destination, nonce, deadline: BigInt(now) + CLAIM_SECONDS }
  const all = listLeaves(settlement.workers, settlement.amounts)
  const tree = StandardMerkleTree.of(
    all.map((one) => toTreeLeaf({ vaultId, epoch, taskId }, one)),
    treeLeafTypes,
  )
  const proof = tree.getProof(toTreeLeaf({ vaultId, epoch, taskId }, leaf)) as Hex[]
  const [message, , signature] = await signedClaim(vault, worker, claim)
  const call = random.chance(0.5)
    ? {
        to: vaultsOf(chain).factory,
        data: encodeCall(sponsoredVaultFactoryAbi, 'claimTo', [vaultId, message, proof, signature]),
      }
    : { to: vault.vault, data: encodeCall(sponsoredVaultAbi, 'claimTo', [message, proof, signature]) }
  return [{ from: random.pick(actorAddresses), ...call }]
}

interface ClaimTerms {
  taskId: Hex
  epoch: bigint
  leaf: SettlementLeaf
  destination: Address
  nonce: bigint
  deadline: bigint
}

/** The arguments of `claimTo`, without a proof. */
async function signedClaim(
  { vault, vaultId }: CreatedVault,
  { account }: (typeof actors)[number],
  { taskId, epoch, leaf, ...terms }: ClaimTerms,
): Promise<[object, Hex[], Hex]> {
  const { index, worker, amount } = leaf
  const message = { vaultId, epoch, allocationId: taskId, taskId, index: BigInt(index), worker, amount, ...terms }
  const signature = await account.signTypedData({
    ...claimTypedData({ chainId: localNetwork.chainId, vault }),
    message,
  })
  return [message, [], signature]
}

function isOfHook(vault: Vault, taskId: Hex): boolean {
  const charge = pickLogs(vault.logs, 'RewardCharged').find(({ args }) => args.taskId === taskId)
  return charge?.args.hook === vault.hook
}

function toVault(vault: Pick<CreatedVault, 'vault' | 'owner'>, [name, args]: [string, unknown[]]): Call {
  return { from: vault.owner, to: vault.vault, data: encodeCall(sponsoredVaultAbi, name, args) }
}

function toToken(from: Address, token: Address, [name, args]: [string, unknown[]]): Call {
  return { from, to: token, data: encodeCall(usdcAbi, name, args) }
}

function failWith(message: string): never {
  throw new Error(message)
}
