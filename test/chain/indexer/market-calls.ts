import { type Address, zeroHash } from 'viem'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import { devAccount, devActors } from '../../../scripts/stack/dev-accounts.ts'
import { toModeSelector } from '../../../src/rules/selectors.ts'
import { type Call, encodeCall, type MarketChain } from './market-chain.ts'
import type { MarketLogs } from './market-logs.ts'
import type { Random } from './random.ts'
import { payThenAct, relayOpen, relayPaid, relaySigned, withBytes } from './relayed-call.ts'

/** What a random call is chosen from. */
export interface World {
  chain: MarketChain
  random: Random
  logs: MarketLogs
}

type Maker = (world: World) => Promise<Call[]> | Call[]

const owner = devAccount('owner').account.address
const actors = devActors()

/** The actors' wallets: everybody creates and everybody works. */
export const actorAddresses: Address[] = actors.map(({ account }) => account.address)

/** Chooses one call, or a pair that belongs together. It may revert: that leaves no log. */
export async function chooseCalls(world: World): Promise<Call[]> {
  const total = makers.reduce((sum, [weight]) => sum + weight, 0)
  let ticket = world.random.below(total)
  for (const [weight, make] of makers) {
    if (ticket < weight) return make(world)
    ticket -= weight
  }
  throw new Error('the weights do not add up')
}

const createTask: Maker = async ({ chain, random }) => {
  const actor = random.pick(actors)
  const reward = BigInt(1000 + random.below(5_000_000))
  const data = market('createTask', [
    {
      mode: toModeSelector('bounty'),
      auctionType: '0x00000000',
      reward,
      duration: 3600 + random.below(86_400),
      pitchDuration: 0,
      bidDuration: 0,
      clockPrice: 0n,
      stakeBps: 0,
      contentHash: random.chance(0.8) ? random.word() : zeroHash,
      tags: Array.from({ length: random.below(4) }, () => random.word()),
      listed: random.chance(0.7),
      evaluation: { evaluator: zero, resolver: zero, feeBps: 0, evaluationWindow: 0, appealWindow: 0 },
      hooks: [],
      hookData: '0x',
    },
  ])
  const payment = { amount: reward, escrow: reward, nonce: random.word() }
  const relay = { chain, intentId: random.word(), actor, data }
  const way = random.below(4)
  if (way === 0) return [await relayPaid(relay, payment)]
  if (way === 1) return payThenAct(relay, { ...payment, isRefunded: random.chance(0.4) })
  return [direct(chain, actor.account.address, data)]
}

const submitWork: Maker = async ({ chain, random, logs }) => {
  const task = findOpenTask(random, logs)
  if (task === null) return []
  const actor = random.pick(actors)
  const data = market('submitWork', [task.id, random.word()])
  const relay = { chain, intentId: random.word(), actor, data }
  const way = random.below(3)
  if (way === 0) return [await relaySigned(relay, { verb: 'submit', taskId: task.id })]
  if (way === 1) return [await relayPaid(relay, { amount: 1000n, escrow: 0n, nonce: random.word() })]
  return [direct(chain, actor.account.address, data)]
}

const updateTask: Maker = ({ chain, random, logs }) => {
  const task = findOpenTask(random, logs)
  if (task === null) return []
  const params = {
    taskId: task.id,
    reward: random.chance(0.6) ? BigInt(1000 + random.below(5_000_000)) : 0n,
    expiryTime: random.chance(0.5) ? task.expiryTime + random.below(7200) - 1800 : 0,
    pitchDeadline: 0,
    bidDeadline: 0,
    clockPrice: 0n,
    contentHash: random.chance(0.3) ? random.word() : zeroHash,
  }
  return [direct(chain, task.requester, market('updateTask', [params]))]
}

const rejectSubmissions: Maker = ({ chain, random, logs }) => {
  const task = findOpenTask(random, logs)
  if (task === null) return []
  const workers = listActiveWorkers(logs, task.id)
  if (workers.length === 0) return []
  return [direct(chain, task.requester, market('rejectSubmissions', [task.id, random.some(workers, 2)]))]
}

const acceptSubmissions: Maker = async ({ chain, random, logs }) => {
  const task = findOpenTask(random, logs)
  if (task === null) return []
  const workers = random.some(listActiveWorkers(logs, task.id), 4)
  const winners = workers.map((worker, index) => ({
    worker,
    shareBps: index === 0 ? 10_000 - 2000 * (workers.length - 1) : 2000,
    deliverable: random.pick(logs.submissions.filter((one) => one.taskId === task.id && one.worker === worker))
      .deliverable,
  }))
  const [first] = winners
  if (first === undefined) return []
  const data =
    winners.length === 1
      ? market('acceptSubmission', [task.id, first.worker, first.deliverable])
      : market('acceptSubmissions', [task.id, winners])
  return [await asRequester({ chain, random, requester: task.requester, data })]
}

const cancelTask: Maker = async ({ chain, random, logs }) => {
  const task = findOpenTask(random, logs)
  if (task === null) return []
  return [await asRequester({ chain, random, requester: task.requester, data: market('cancelTask', [task.id]) })]
}

const refundExpired: Maker = ({ chain, random, logs }) => {
  const task = findOpenTask(random, logs)
  if (task === null) return []
  return [direct(chain, random.pick(actorAddresses), market('refundExpired', [task.id]))]
}

const settleStale: Maker = ({ chain, random, logs }) => {
  const task = findOpenTask(random, logs)
  if (task === null) return []
  return [relayOpen({ chain, intentId: random.word(), data: market('settleStale', [task.id]) })]
}

const rateTask: Maker = ({ chain, random, logs }) => {
  const award = random.pick([...logs.awards.filter(({ isRated }) => !isRated), null])
  const task = logs.tasks.find(({ id }) => id === award?.taskId)
  if (award === null || task === undefined) return []
  const params = {
    taskId: award.taskId,
    worker: award.worker,
    rating: random.below(101),
    raterAgentId: BigInt(random.below(3)),
    workerAgentId: BigInt(random.below(3)),
    hasAgent: random.chance(0.5),
    feedbackURI: 'feedback://well-formed-then-HOSTILE',
    feedbackHash: random.word(),
  }
  // NUL, a lone continuation byte, an overlong form and a surrogate: no text, but the contract takes any bytes.
  const hostile = { placeholder: 'HOSTILE', hostile: '0x0080c0aeeda080' } as const
  return [direct(chain, task.requester, withBytes(market('rateTask', [params]), hostile))]
}

const toggleBlacklist: Maker = async ({ chain, random }) => {
  const { usdc } = chain.deployment
  const account = random.pick([...actorAddresses, devAccount('feeRecipient').account.address])
  const [from, isBlacklisted] = await Promise.all([
    chain.client.readContract({ address: usdc, abi: usdcAbi, functionName: 'blacklister' }),
    chain.client.readContract({ address: usdc, abi: usdcAbi, functionName: 'isBlacklisted', args: [account] }),
  ])
  const name = isBlacklisted ? 'unBlacklist' : 'blacklist'
  return [{ from, to: usdc, data: encodeCall(usdcAbi, name, [account]) }]
}

const withdrawCredit: Maker = async ({ chain, random, logs }) => {
  const account = random.pick([...logs.credited, null])
  if (account === null) return []
  if (random.chance(0.5)) return [direct(chain, account, market('withdrawCredit', [random.pick(actorAddresses)]))]
  return [relayOpen({ chain, intentId: random.word(), data: market('pushCredit', [account]) })]
}

const moveIdentity: Maker = ({ chain, random, logs }) => {
  const { identityRegistry } = chain.deployment
  const from = random.pick(actorAddresses)
  const agentId = random.pick([...logs.agentIds, null])
  if (agentId === null || random.chance(0.3)) {
    return [{ from, to: identityRegistry, data: encodeCall(identityRegistryAbi, 'register', ['agent://']) }]
  }
  const to = random.pick(actorAddresses)
  // Only the owner's transfer does not revert.
  return actorAddresses.map((sender) => ({
    from: sender,
    to: identityRegistry,
    data: encodeCall(identityRegistryAbi, 'transferFrom', [sender, to, agentId]),
  }))
}

/** The owner's calls that chance would rarely choose, and what the last of them needs. */
export function listOwnerCalls({ chain }: Pick<World, 'chain'>): Call[] {
  const { identityRegistry, reputationRegistry } = chain.deployment
  const calls: [string, unknown[]][] = [
    ['pause', []],
    ['unpause', []],
    ['setDefaultHooks', [[]]],
    ['setRegistries', [identityRegistry, reputationRegistry]],
    ['transferOwnership', [owner]],
    ['sweepExcess', [owner]],
  ]
  return [
    donate(chain, actorAddresses[0] ?? owner),
    ...calls.map(([name, args]) => direct(chain, owner, market(name, args))),
  ]
}

/** USDC that the market owes to nobody: what sweepExcess may take. */
function donate(chain: MarketChain, from: Address): Call {
  const { market: to, usdc } = chain.deployment
  return { from, to: usdc, data: encodeCall(usdcAbi, 'transfer', [to, 1n]) }
}

const administrate: Maker = ({ chain, random }) => {
  const { forwarder } = chain.deployment
  return [
    random.pick([
      direct(chain, owner, market('setFeeBps', [random.below(2001)])),
      direct(chain, owner, market('setFeeRecipient', [devAccount('feeRecipient').account.address])),
      direct(chain, owner, market(random.pick(['pause', 'unpause', 'unpause', 'unpause']), [])),
      direct(chain, owner, market('sweepExcess', [owner])),
      { from: owner, to: forwarder, data: encodeCall(paymentForwarderAbi, 'sweepFees', [owner]) },
      donate(chain, random.pick(actorAddresses)),
    ]),
  ]
}

const makers: [weight: number, make: Maker][] = [
  [16, createTask],
  [34, submitWork],
  [8, updateTask],
  [4, rejectSubmissions],
  [7, acceptSubmissions],
  [4, cancelTask],
  [3, refundExpired],
  [2, settleStale],
  [6, rateTask],
  [5, toggleBlacklist],
  [4, withdrawCredit],
  [4, moveIdentity],
  [5, administrate],
]

const zero = '0x0000000000000000000000000000000000000000'

async function asRequester(call: {
  chain: MarketChain
  random: Random
  requester: Address
  data: Call['data']
}): Promise<Call> {
  const { chain, random, requester, data } = call
  const actor = actors.find(({ account }) => account.address === requester)
  if (actor === undefined || random.chance(0.6)) return direct(chain, requester, data)
  const payment = { amount: 1000n, escrow: 0n, nonce: random.word() }
  return relayPaid({ chain, intentId: random.word(), actor, data }, payment)
}

function direct(chain: MarketChain, from: Address, data: Call['data']): Call {
  return { from, to: chain.deployment.market, data }
}

function market(functionName: string, args: readonly unknown[]): Call['data'] {
  return encodeCall(taskMarketAbi, functionName, args)
}

function findOpenTask(random: Random, logs: MarketLogs): MarketLogs['tasks'][number] | null {
  const open = logs.tasks.filter(({ isOpen }) => isOpen)
  // Mostly the newest, so that a few tasks get many entries.
  return open.length === 0 ? null : random.pick(random.chance(0.7) ? open.slice(-4) : open)
}

function listActiveWorkers(logs: MarketLogs, taskId: string): Address[] {
  const active = logs.submissions.filter((one) => one.taskId === taskId && one.isActive)
  return [...new Set(active.map(({ worker }) => worker))]
}
