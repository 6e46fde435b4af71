import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { toModeSelector } from '../../../src/rules/selectors.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Random } from '../indexer/random.ts'
import { readTaskStates, type TaskState } from '../indexer/task-states.ts'
import { aBounty, aRating, createTasks, send, wallets } from './bounties.ts'

/** A task of claim mode on the chain, with what no view tells of it. */
export interface ClaimTask {
  id: Hex
  tags: readonly Hex[]
}

/** Rates and rewards of which some make no stake at all. */
const stakeRates = [0, 0, 1, 1234, 10_000]
const rewards = [1000n, 9999n, 123_457n, 5_000_000n]
/** No task lives longer, seconds. */
const LONGEST = 5000
const noEvaluation = aBounty({ reward: 0n, duration: 0 }).evaluation

/** Creates tasks of claim mode and takes each some way through its life: every status, and later rounds. */
export async function makeClaims(chain: MarketChain, random: Random, count: number): Promise<ClaimTask[]> {
  const terms = Array.from({ length: count }, () => aClaimTask(random))
  const created = await createTasks(chain, terms)
  const tasks = created.map(({ id }, index) => ({ id, tags: terms[index]?.terms.tags ?? [] }))
  const ids = tasks.map(({ id }) => id)
  /** What does not fit the state a task is in reverts; what fits makes the other states. */
  const everybody = async (act: (task: TaskState) => Promise<void>) => {
    for (const task of await readTaskStates(chain, ids)) await act(task)
    await chain.mine()
  }

  await everybody(async ({ id }) => {
    if (random.chance(0.8)) await send(chain, random.pick(wallets), 'claimTask', [id, zeroHash])
  })
  await everybody(async ({ id, status, view }) => {
    if (status === 'claimed' && random.chance(0.6)) await send(chain, view.worker, 'submitWork', [id, random.word()])
    if (status === 'open' && random.chance(0.3)) await send(chain, view.requester, 'cancelTask', [id])
  })
  await everybody(async ({ id, view }) => {
    if (random.chance(0.3)) await send(chain, view.requester, 'objectToDelivery', [id])
    if (random.chance(0.4)) {
      await send(chain, view.requester, 'acceptSubmission', [id, view.worker, view.deliverable])
    }
  })
  await chain.mine(LONGEST)
  await everybody(async ({ id, status, view }) => {
    if (random.chance(0.5)) await send(chain, view.requester, 'evaluatorTimeout', [id])
    if (random.chance(0.5)) await send(chain, view.requester, 'forfeitAndReopen', [id])
    else if (random.chance(0.3)) await send(chain, random.pick(wallets), 'refundExpired', [id])
    if (status === 'completed' && random.chance(0.5)) {
      await send(chain, view.requester, 'rateTask', [aRating(id, view.worker)])
    }
  })
  await reopen(chain, random, { ids, everybody })
  return tasks
}

/** Some of the forfeited tasks get another life, and some of these another worker. */
async function reopen(
  chain: MarketChain,
  random: Random,
  { ids, everybody }: { ids: readonly Hex[]; everybody: (act: (task: TaskState) => Promise<void>) => Promise<void> },
): Promise<void> {
  const { timestamp } = await chain.client.getBlock()
  await everybody(async ({ id, view }) => {
    if (view.round === 0 || random.chance(0.3)) return
    const expiryTime = Number(timestamp) + LONGEST
    const params = { taskId: id, reward: 0n, expiryTime, pitchDeadline: 0, bidDeadline: 0, clockPrice: 0n }
    await send(chain, view.requester, 'updateTask', [{ ...params, contentHash: random.word() }])
  })
  for (const { id, view } of await readTaskStates(chain, ids)) {
    if (view.round > 0 && random.chance(0.6)) await send(chain, random.pick(wallets), 'claimTask', [id, zeroHash])
  }
  await chain.mine()
}

function aClaimTask(random: Random): { requester: Address; terms: ReturnType<typeof claimTerms> } {
  const requester = random.pick(wallets)
  return { requester, terms: claimTerms(random, requester) }
}

function claimTerms(random: Random, requester: Address) {
  return {
    ...aBounty({ reward: random.pick(rewards), duration: 50 + random.below(LONGEST - 50) }),
    mode: toModeSelector('claim'),
    stakeBps: random.pick(stakeRates),
    tags: Array.from({ length: random.below(3) }, () => random.word()),
    evaluation: random.chance(0.3) ? anEvaluation(random, requester) : noEvaluation,
  }
}

function anEvaluation(random: Random, requester: Address) {
  const [evaluator = zeroAddress, resolver = zeroAddress] = random.some(
    wallets.filter((wallet) => wallet !== requester),
    2,
  )
  return { evaluator, resolver, feeBps: random.below(3000), evaluationWindow: 600, appealWindow: 300 }
}
