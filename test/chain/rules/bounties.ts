import { type Address, type Hex, parseEventLogs, zeroAddress, zeroHash } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { encodeMarketCall } from '../../../api/chain/market-call.ts'
import { toModeSelector } from '../../../src/rules/selectors.ts'
import { actorAddresses } from '../indexer/market-calls.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Random } from '../indexer/random.ts'

/** Everybody who may turn up, lower case; each of them creates and works. */
export const wallets = actorAddresses.map((address) => address.toLowerCase() as Address)

/** A bounty on the chain, and the deliverables committed to it by worker, oldest first. */
export interface Bounty {
  id: Hex
  requester: Address
  deliverables: Map<Address, Hex[]>
}

/** Rewards of which some are too small for some shares. */
const rewards = [1000n, 1001n, 9999n, 10_000n, 123_457n, 5_000_000n]
/** No bounty lives longer, seconds. */
const LONGEST = 5000

/** Creates bounties and takes each some way through its life: every status, every mixture of submissions. */
export async function makeBounties(chain: MarketChain, random: Random, count: number): Promise<Bounty[]> {
  const bounties = await createBounties(
    chain,
    Array.from({ length: count }, () => ({
      requester: random.pick(wallets),
      reward: random.pick(rewards),
      duration: 50 + random.below(LONGEST - 50),
    })),
  )
  for (const bounty of bounties) {
    if (random.chance(0.8)) await submitSome(chain, random, bounty)
  }
  await chain.mine()
  for (const { id, requester, deliverables } of bounties) {
    const rejected = [...deliverables.keys()].filter(() => random.chance(0.4))
    if (rejected.length > 0) await send(chain, requester, 'rejectSubmissions', [id, rejected])
    const standing = [...deliverables].filter(([worker]) => !rejected.includes(worker))
    if (standing.length > 0 && random.chance(0.4)) {
      await send(chain, requester, 'acceptSubmissions', [id, toEqualParts(standing)])
    }
  }
  await chain.mine()
  // What does not fit the state a bounty is in reverts; what fits makes the other statuses.
  for (const { id, requester } of bounties) {
    if (random.chance(0.2)) await send(chain, requester, 'cancelTask', [id])
  }
  await chain.mine(LONGEST)
  for (const { id } of bounties) {
    if (random.chance(0.3)) await send(chain, random.pick(wallets), 'refundExpired', [id])
  }
  for (const { id, requester, deliverables } of bounties) {
    const [worker] = deliverables.keys()
    if (worker !== undefined && random.chance(0.5)) await send(chain, requester, 'rateTask', [aRating(id, worker)])
  }
  await chain.mine()
  return bounties
}

/** Creates bounties in one block; nobody has submitted to them. */
export async function createBounties(
  chain: MarketChain,
  terms: readonly { requester: Address; reward: bigint; duration: number }[],
): Promise<Bounty[]> {
  const created = await createTasks(
    chain,
    terms.map(({ requester, reward, duration }) => ({ requester, terms: aBounty({ reward, duration }) })),
  )
  return created.map((task) => ({ ...task, deliverables: new Map() }))
}

/** Creates tasks of any mode in one block. */
export async function createTasks(
  chain: MarketChain,
  tasks: readonly { requester: Address; terms: Creation }[],
): Promise<{ id: Hex; requester: Address }[]> {
  for (const { requester, terms } of tasks) await send(chain, requester, 'createTask', [terms])
  const blockNumber = await chain.mine()
  const logs = await chain.client.getLogs({
    address: chain.deployment.market,
    fromBlock: blockNumber,
    toBlock: blockNumber,
  })
  const created = parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCreated', logs })
  if (created.length !== tasks.length) throw new Error(`${created.length} of ${tasks.length} tasks were created`)
  return created.map(({ args }) => ({ id: args.taskId, requester: args.requester.toLowerCase() as Address }))
}

/** Sends a call of the market; it is in the next block. */
export async function send(
  { deployment, send: sendCall }: MarketChain,
  from: Address,
  ...[functionName, args]: MarketCall
): Promise<void> {
  const { target, data } = encodeMarketCall(deployment.market, functionName, args)
  await sendCall({ from, to: target, data })
}

type MarketCall = { [Name in MarketFunction]: [Name, Parameters<typeof encodeMarketCall<Name>>[2]] }[MarketFunction]
type MarketFunction = Parameters<typeof encodeMarketCall>[1]

type Creation = Parameters<typeof encodeMarketCall<'createTask'>>[2][0]

/** Terms of a bounty without hooks, evaluator or tags. */
export function aBounty(terms: { reward: bigint; duration: number }): Creation {
  return {
    mode: toModeSelector('bounty'),
    auctionType: '0x00000000',
    pitchDuration: 0,
    bidDuration: 0,
    clockPrice: 0n,
    stakeBps: 0,
    contentHash: zeroHash,
    tags: [],
    listed: true,
    evaluation: { evaluator: zeroAddress, resolver: zeroAddress, feeBps: 0, evaluationWindow: 0, appealWindow: 0 },
    hooks: [],
    hookData: '0x',
    ...terms,
  }
}

/** A rating of nobody's agent. */
export function aRating(taskId: Hex, worker: Address) {
  return {
    taskId,
    worker,
    rating: 80,
    raterAgentId: 0n,
    workerAgentId: 0n,
    hasAgent: false,
    feedbackURI: '',
    feedbackHash: zeroHash,
  }
}

/** The first gets what the division leaves over. */
function toEqualParts(standing: readonly [Address, Hex[]][]) {
  const part = Math.floor(10_000 / standing.length)
  return standing.map(([worker, committed], index) => ({
    worker,
    shareBps: index === 0 ? 10_000 - part * (standing.length - 1) : part,
    deliverable: committed[0] ?? zeroHash,
  }))
}

async function submitSome(chain: MarketChain, random: Random, { id, deliverables }: Bounty): Promise<void> {
  for (const worker of random.some(wallets, 4)) {
    const committed = Array.from({ length: 1 + random.below(2) }, () => random.word())
    deliverables.set(worker, committed)
    for (const deliverable of committed) await send(chain, worker, 'submitWork', [id, deliverable])
  }
}
