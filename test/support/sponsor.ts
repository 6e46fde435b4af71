import {
  type Address,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  zeroAddress,
} from 'viem'
import { sponsoredTasksHookAbi } from '../../abis/sponsored-tasks-hook.ts'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { usdcAbi } from '../../abis/usdc.ts'
import { toModeSelector } from '../../protocol/rules/selectors.ts'
import { claimTypedData } from '../../protocol/signed/vault-claim.ts'
import { termsHashOf } from '../../protocol/terms-hash.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import { type Actor, anActor } from './actors.ts'
import type { ChainView } from './conformance-chain.ts'

/** A wallet that signs. */
type Signer = Pick<Actor, 'account' | 'address'>
/** The stack whose chain it is. */
type OnChain = { chain: ChainView }

/** What a vault of a test was given, base units of USDC, which is its token. */
export const vaultFunds = 50_000_000n

/** A vault with its owner; `send` calls it as the owner. */
export interface TestVault {
  vaultId: Hex
  address: Address
  hook: Address
  owner: Actor
  send(name: string, args: unknown[]): Promise<Hex>
}

/** The hook and the factory of the stack. */
export function vaultsOf({ chain: { deployment } }: OnChain): { hook: Address; factory: Address } {
  const { sponsoredTasksHook: hook, sponsoredVaultFactory: factory } = deployment
  if (hook === undefined || factory === undefined) throw new Error('the stack has no sponsored vaults')
  return { hook, factory }
}

/** A vault of USDC with funds, whose managers may charge all of them. */
export async function aVault(environment: OnChain, managers: readonly Actor[]): Promise<TestVault> {
  const { chain } = environment
  const { hook, factory } = vaultsOf(environment)
  const owner = anActor()
  const { usdc: token } = chain.deployment
  const salt = keccak256(owner.address)
  const create = encodeFunctionData({ abi: sponsoredVaultFactoryAbi, functionName: 'createVault', args: [token, salt] })
  await chain.sendAs(owner.address, { to: factory, data: create })
  const vaultId = await read<Hex>(environment, { to: factory, abi: sponsoredVaultFactoryAbi }, [
    'vaultIdOf',
    [owner.address, token, salt],
  ])
  const address = await read<Address>(environment, { to: factory, abi: sponsoredVaultFactoryAbi }, [
    'vaultOf',
    [vaultId],
  ])
  const send: TestVault['send'] = (name, args) =>
    chain.sendAs(owner.address, {
      to: address,
      data: encodeFunctionData({ abi: sponsoredVaultAbi, functionName: name, args } as never),
    })
  await chain.fund(owner.address, vaultFunds)
  const approval = encodeFunctionData({ abi: usdcAbi, functionName: 'approve', args: [address, maxUint256] })
  await chain.sendAs(owner.address, { to: token, data: approval })
  await send('setCharger', [hook, true])
  await send('setFeeCredit', [vaultFunds])
  for (const manager of managers) await send('setManager', [manager.address, vaultFunds, true])
  await send('fund', [vaultFunds])
  return { vaultId, address: address.toLowerCase() as Address, hook, owner, send }
}

/** A bounty of 2 USDC by a manager of the vault, without the service, that charges the vault `gross`; its id. */
export async function aSponsoredTask(
  environment: OnChain,
  {
    vault,
    requester,
    gross,
  }: { vault: Pick<TestVault, 'vaultId' | 'address' | 'hook'>; requester: Actor; gross: bigint },
): Promise<Hex> {
  const { chain } = environment
  const { market, usdc } = chain.deployment
  const [reward, duration] = [2_000_000n, 86_400]
  const ofMarket = { to: market, abi: taskMarketAbi }
  const [feeBps, defaults, epoch] = await Promise.all([
    read<number>(environment, ofMarket, ['feeBps', []]),
    read<Address[]>(environment, ofMarket, ['defaultHooks', []]),
    read<bigint>(environment, { to: vault.address, abi: sponsoredVaultAbi }, ['epoch', []]),
  ])
  const hooks = [vault.hook]
  const termsHash = termsHashOf({
    ...bareTerms,
    reward,
    expiryTime: BigInt(duration),
    hookSet: keccak256(
      encodeAbiParameters([{ type: 'uint8' }, { type: 'address[]' }], [defaults.length, [...defaults, ...hooks]]),
    ),
  })
  if (termsHash === null) throw new Error('a bounty has terms')
  const params = {
    mode: toModeSelector('bounty'),
    auctionType: '0x00000000',
    reward,
    duration,
    pitchDuration: 0,
    bidDuration: 0,
    clockPrice: 0n,
    stakeBps: 0,
    contentHash: keccak256('0x01'),
    tags: [],
    listed: true,
    evaluation: { evaluator: zeroAddress, resolver: zeroAddress, feeBps: 0, evaluationWindow: 0, appealWindow: 0 },
    hooks,
    hookData: encodeAbiParameters(
      ['uint256', 'bytes32', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'].map((type) => ({ type })),
      [1n, vault.vaultId, requester.address, gross, epoch, BigInt(feeBps), termsHash],
    ),
  } as const
  const approval = encodeFunctionData({ abi: usdcAbi, functionName: 'approve', args: [market, reward] })
  await chain.sendAs(requester.address, { to: usdc, data: approval })
  const creation = encodeFunctionData({ abi: taskMarketAbi, functionName: 'createTask', args: [params] })
  const hash = await chain.sendAs(requester.address, { to: market, data: creation })
  const [taskId] = (await chain.marketLogs(hash)).flatMap((log) =>
    log.eventName === 'TaskCreated' ? [log.args.taskId] : [],
  )
  if (taskId === undefined) throw new Error('no task was created')
  return taskId
}

/** Submits work to a bounty and pays all of it to its worker, without the service. */
export async function completeTask(
  { chain }: OnChain,
  { taskId, requester, worker }: { taskId: Hex; requester: Actor; worker: Signer },
): Promise<void> {
  const { market: to } = chain.deployment
  const deliverable = keccak256('0x02')
  const call = (functionName: string, args: unknown[]) =>
    encodeFunctionData({ abi: taskMarketAbi, functionName, args } as never)
  await chain.sendAs(worker.address, { to, data: call('submitWork', [taskId, deliverable]) })
  await chain.sendAs(requester.address, {
    to,
    data: call('acceptSubmission', [taskId, worker.address, deliverable]),
  })
}

/** Opens the claims of a completed task, by any account. */
export async function settleReward(environment: OnChain, taskId: Hex, awards: [Signer, bigint][]): Promise<void> {
  const data = encodeFunctionData({
    abi: sponsoredTasksHookAbi,
    functionName: 'installSettlement',
    args: [taskId, awards.map(([worker]) => worker.address), awards.map(([, amount]) => amount)],
  })
  await environment.chain.sendAs(anActor().address, { to: vaultsOf(environment).hook, data })
}

/** An entitlement as the service lists it. */
export interface EntitlementReply {
  vaultId: Hex
  taskId: Hex
  epoch: number
  index: number
  amount: string
  proof: Hex[]
}

/** The body of a claim, signed by its worker; `signer`: by another key. */
export async function aClaimOfReward(
  {
    vault,
    worker,
    entitlement,
  }: { vault: Pick<TestVault, 'vaultId' | 'address'>; worker: Signer; entitlement: EntitlementReply },
  terms: { destination: Address; nonce: bigint; deadline: bigint; signer?: Signer },
) {
  const { vaultId, taskId, epoch, index, amount, proof } = entitlement
  const { destination, nonce, deadline, signer = worker } = terms
  const claim = {
    vaultId,
    epoch: BigInt(epoch),
    allocationId: taskId,
    taskId,
    index: BigInt(index),
    worker: worker.address,
    destination,
    amount: BigInt(amount),
    nonce,
    deadline,
  }
  const typedData = claimTypedData({ chainId: localNetwork.chainId, vault: vault.address })
  const signature = await signer.account.signTypedData({ ...typedData, message: claim })
  return {
    vaultId,
    taskId,
    index,
    workerAddress: worker.address,
    destination,
    amount,
    nonce: nonce.toString(),
    deadline: deadline.toString(),
    signature,
    proof,
  }
}

const bareTerms = {
  mode: 'bounty',
  auctionType: null,
  createdAt: 0n,
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
} as const

async function read<Answer>(
  { chain }: OnChain,
  { to, abi }: { to: Address; abi: readonly unknown[] },
  [functionName, args]: [string, unknown[]],
): Promise<Answer> {
  const call = { abi, functionName } as never
  const data = encodeFunctionData({ ...(call as object), args } as never)
  const answer = (await chain.request('eth_call', [{ to, data }, 'latest'])) as Hex
  return decodeFunctionResult({ ...(call as object), data: answer } as never) as Answer
}
