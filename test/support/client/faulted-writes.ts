import { type AbiEvent, type Address, type Hex, toEventSelector } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { WriteInput, WriteName } from '../../../client/src/api/write-names.ts'
import type { Actor } from '../actors.ts'
import type { Environment } from '../conformance.ts'
import { aClaimTask, anAuctionTask } from '../conformance-fixtures.ts'
import { register } from '../withdrawal-addresses.ts'

/** A write that is made while exchanges break, and how the chain alone says what became of it. */
export interface FaultedWrite {
  write: WriteName
  wallet: Actor
  input: WriteInput<WriteName>
  /** What it costs when it is done, base units. */
  cost: bigint
  /** How often it has been done, by the chain alone. */
  countDone(): Promise<number>
}

/** What the preparation of a write has: `seed` tells runs apart, `aWallet` makes a funded wallet. */
interface Parts {
  environment: Environment
  aWallet(): Promise<Actor>
  seed: number
}

const REWARD = 20_000n
const FEE = 1_000n
const STAKE_BPS = 1_000

/** Creation, free and paid writes of both parties, a write that is signed and paid, and a withdrawal. */
const recipes: ((parts: Parts) => Promise<FaultedWrite>)[] = [
  async ({ environment, aWallet, seed }) => {
    const wallet = await aWallet()
    const input = { description: `Task ${seed}`, reward: String(REWARD), duration: 24, tags: [] }
    const countDone = () => countEvents(environment, 'TaskCreated', [null, wallet.address])
    return { write: 'createTask', wallet, input, cost: REWARD, countDone }
  },
  async ({ environment, aWallet, seed }) => {
    const [wallet, requester] = [await aWallet(), await aWallet()]
    const taskId = await environment.createTask(requester, { reward: String(REWARD) })
    const file = Buffer.from(`work ${seed}`).toString('base64')
    const artifacts = [{ fileName: 'work.txt', mimeType: 'text/plain', file }]
    const countDone = async () => (await environment.chain.task(taskId)).submissionCount
    return { write: 'createSubmission', wallet, input: { taskId, artifacts }, cost: 0n, countDone }
  },
  async ({ environment, aWallet }) => {
    const [wallet, worker] = [await aWallet(), await aWallet()]
    const taskId = await environment.createTask(wallet, { reward: String(REWARD) })
    await environment.submit(worker, taskId)
    const countDone = async () => (await environment.chain.task(taskId)).awardCount
    return { write: 'acceptSubmission', wallet, input: { taskId, worker: worker.address }, cost: FEE, countDone }
  },
  async (parts) => {
    const pitchText = `Pitch ${parts.seed}`
    return await ofWorker(parts, { write: 'createPitch', task: { mode: 'pitch' }, input: { pitchText } })
  },
  async (parts) => {
    const task = anAuctionTask('reverse_english', { reward: String(REWARD) })
    return await ofWorker(parts, { write: 'createBid', task, input: { price: '15000' } })
  },
  async (parts) => {
    const task = { mode: 'benchmark', metricDescription: 'Requests a second', metricTarget: '5000' }
    const input = { proofData: `https://example.com/${parts.seed}`, proofType: 'url', metricValue: '6000' }
    return await ofWorker(parts, { write: 'createProof', task, input })
  },
  async (parts) => {
    const task = aClaimTask({ stakeBps: STAKE_BPS })
    const cost = (REWARD * BigInt(STAKE_BPS)) / 10_000n
    return await ofWorker(parts, { write: 'createClaim', task, input: {}, cost })
  },
  async ({ environment, aWallet, seed }) => {
    const [wallet, safe] = [await aWallet(), await aWallet()]
    const amount = 2_000n + BigInt(seed)
    await register({ post: (path, body) => environment.post(path.replace('/api', ''), { body }) }, wallet, safe.address)
    const before = await environment.chain.balanceOf(safe.address)
    const countDone = async () => Number(((await environment.chain.balanceOf(safe.address)) - before) / amount)
    const input = { amountBaseUnits: String(amount), to: safe.address }
    return { write: 'withdraw', wallet, input, cost: amount, countDone }
  },
]

/** The write of a run: eight runs in a row take each kind once. */
export async function aFaultedWrite(parts: Parts): Promise<FaultedWrite> {
  const recipe = recipes[parts.seed % recipes.length]
  if (recipe === undefined) throw new Error(`a run has a whole number as seed, not ${parts.seed}`)
  return await recipe(parts)
}

const entries = {
  createPitch: 'PitchSubmitted',
  createBid: 'BidSubmitted',
  createProof: 'ProofSubmitted',
  createClaim: 'TaskWorkerSelected',
} as const
type Entry = keyof typeof entries

/** A worker's part in a task of another wallet, counted by its event. */
async function ofWorker(
  { environment, aWallet }: Parts,
  {
    write,
    task,
    input,
    cost = FEE,
  }: { write: Entry; task: Record<string, unknown>; input: Record<string, unknown>; cost?: bigint },
): Promise<FaultedWrite> {
  const [wallet, requester] = [await aWallet(), await aWallet()]
  const taskId = await environment.createTask(requester, { reward: String(REWARD), ...task })
  const countDone = () => countEvents(environment, entries[write], [taskId, wallet.address])
  return { write, wallet, input: { taskId, ...input } as WriteInput<Entry>, cost, countDone }
}

type CountedEvent = (typeof entries)[Entry] | 'TaskCreated'

async function countEvents(
  { chain }: Environment,
  name: CountedEvent,
  indexed: readonly (Hex | Address | null)[],
): Promise<number> {
  const { market, startBlock } = chain.deployment
  const event = taskMarketAbi.find((item) => item.type === 'event' && item.name === name)
  if (event === undefined) throw new Error(`the market has no event ${name}`)
  const topics = [
    toEventSelector(event as AbiEvent),
    ...indexed.map((value) => value && `0x${value.slice(2).toLowerCase().padStart(64, '0')}`),
  ]
  const filter = { address: market, fromBlock: `0x${startBlock.toString(16)}`, toBlock: 'latest', topics }
  return ((await chain.request('eth_getLogs', [filter])) as unknown[]).length
}
