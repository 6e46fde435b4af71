import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { partOf } from '../../../api/domain/fees.ts'
import { isContest, type TaskMode, toAuctionSelector, toModeSelector } from '../../../src/rules/selectors.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Random } from '../indexer/random.ts'
import { aBounty, createTasks, send, wallets } from './bounties.ts'
import { type JudgedTask, readJudgedSnapshot } from './read-judged-snapshot.ts'
import { someAwards } from './verdicts.ts'

const kinds = ['bounty', 'benchmark', 'claim', 'auction'] as const satisfies TaskMode[]
/** No task lives longer, and no window of a judge is longer than a day, seconds. */
const LONGEST = 4000
const DAY = 86_400
const noEvaluation = aBounty({ reward: 0n, duration: 0 }).evaluation

/** Creates tasks of which most have an evaluator, and takes each some way through the evaluator flow. */
export async function makeJudged(chain: MarketChain, random: Random, count: number): Promise<JudgedTask[]> {
  const terms = Array.from({ length: count }, () => someTerms(random))
  const tasks = (await createTasks(chain, terms)).map(({ id }) => ({ id, deliverables: new Map<Address, Hex[]>() }))
  /** What does not fit the state a task is in reverts; what fits makes the other states. */
  const everybody = async (act: (task: JudgedTask) => Promise<void>, secondsLater = 1) => {
    for (const task of tasks) await act(task)
    await chain.mine(secondsLater)
  }
  await everybody((task) => enter(chain, random, task))
  await everybody((task) => deliver(chain, random, task))
  await everybody((task) => judge(chain, random, task), 30)
  await everybody((task) => contend(chain, random, task))
  await everybody((task) => decide(chain, random, task), LONGEST)
  await everybody((task) => judge(chain, random, task))
  await everybody((task) => contend(chain, random, task), DAY)
  await everybody((task) => end(chain, random, task))
  return tasks
}

/** Submissions to a contest; elsewhere somebody is assigned. */
async function enter(chain: MarketChain, random: Random, { id, deliverables }: JudgedTask): Promise<void> {
  const { mode } = await readJudgedSnapshot(chain, { id, deliverables })
  if (random.chance(0.1)) return
  if (mode === 'claim') return await send(chain, random.pick(wallets), 'claimTask', [id, zeroHash])
  if (mode === 'auction') return await send(chain, random.pick(wallets), 'acceptAuction', [id, 0n])
  for (const worker of random.some(wallets, 4)) await commit(chain, random, { task: { id, deliverables }, worker })
}

async function deliver(chain: MarketChain, random: Random, task: JudgedTask): Promise<void> {
  const { worker, status } = await readJudgedSnapshot(chain, task)
  if (status === 'claimed' && worker !== null && random.chance(0.85)) await commit(chain, random, { task, worker })
}

async function commit(
  chain: MarketChain,
  random: Random,
  { task, worker }: { task: JudgedTask; worker: Address },
): Promise<void> {
  const deliverable = random.word()
  task.deliverables.set(worker, [deliverable])
  await send(chain, worker, 'submitWork', [task.id, deliverable])
}

async function judge(chain: MarketChain, random: Random, { id, deliverables }: JudgedTask): Promise<void> {
  const task = await readJudgedSnapshot(chain, { id, deliverables })
  if (task.evaluator === null || random.chance(0.4)) return
  const available = task.escrow - partOf(task.escrow, task.evaluatorFeeBps ?? 0)
  const awards = random.chance(0.3) ? [] : someAwards(task, random, { available })
  const verdict = awards.length > 0 ? random.pick([1, 3]) : random.chance(0.5) && !isContest(task.mode) ? 1 : 2
  await send(chain, task.evaluator, 'evaluate', [id, verdict, random.below(1001), 1000, random.word(), awards])
}

async function contend(chain: MarketChain, random: Random, task: JudgedTask): Promise<void> {
  const { worker, verdictAwarded, entries, status } = await readJudgedSnapshot(chain, task)
  const concerned = [...verdictAwarded, ...(worker === null ? [...entries.keys()] : [worker])]
  if (status !== 'appealing' || concerned.length === 0 || random.chance(0.4)) return
  await send(chain, random.pick(concerned), 'appeal', [task.id])
}

async function decide(chain: MarketChain, random: Random, { id, deliverables }: JudgedTask): Promise<void> {
  const task = await readJudgedSnapshot(chain, { id, deliverables })
  if (task.status !== 'disputed' || task.disputeResolver === null || random.chance(0.6)) return
  const awards = someAwards(task, random, { available: task.escrow })
  await send(chain, task.disputeResolver, 'resolveDispute', [id, random.pick([1, 3]), awards])
}

async function end(chain: MarketChain, random: Random, { id, deliverables }: JudgedTask): Promise<void> {
  const { requester } = await readJudgedSnapshot(chain, { id, deliverables })
  if (random.chance(0.5)) await send(chain, random.pick(wallets), 'finalizeVerdict', [id])
  if (random.chance(0.3)) await send(chain, requester, 'evaluatorTimeout', [id])
  if (random.chance(0.1)) await send(chain, random.pick(wallets), 'refundExpired', [id])
}

function someTerms(random: Random): Parameters<typeof createTasks>[1][number] {
  const requester = random.pick(wallets)
  const kind = random.pick(kinds)
  const reward = random.pick([1000n, 9999n, 123_457n, 5_000_000n])
  return {
    requester,
    terms: {
      ...aBounty({ reward, duration: 500 + random.below(LONGEST - 500) }),
      mode: toModeSelector(kind),
      ...(kind === 'claim' && { stakeBps: random.pick([0, 1234]) }),
      ...(kind === 'auction' && { auctionType: toAuctionSelector('dutch'), clockPrice: reward / 3n }),
      evaluation: random.chance(0.15) ? noEvaluation : someJudges(random, requester),
    },
  }
}

function someJudges(random: Random, requester: Address) {
  const others = wallets.filter((wallet) => wallet !== requester)
  const evaluator = random.pick(others)
  const resolver = random.chance(0.2) ? zeroAddress : random.pick(others.filter((wallet) => wallet !== evaluator))
  return {
    ...{ evaluator, resolver, feeBps: random.pick([0, 1, 333, 2500, 9250]) },
    ...{ evaluationWindow: random.pick([600, DAY, 3 * DAY]), appealWindow: random.pick([300, DAY, 2 * DAY]) },
  }
}
