import type { Random } from '../chain/indexer/random.ts'
import type { Actor } from '../support/actors.ts'
import type { Environment } from '../support/conformance.ts'
import type { Action, Fields } from './actions.ts'
import type { Choose } from './commands.ts'
import type { Offer } from './scenario.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and tasks of every shape.
type Row = any

interface Open {
  offer: Offer
  task: Row
  as: Actor
}

/** Chooses the open words of commands, at random, from what the wallet itself can read. */
export function createChooser({ get, chain }: Environment, random: Random): Choose {
  const rowsOf = async ({ task, as }: Open, list: 'submissions' | 'pitches'): Promise<Row[]> =>
    (await get(`/tasks/${task.id}/${list}`, { as })).body
  const activeWorkers = async (open: Open): Promise<string[]> => {
    const rows = await rowsOf(open, 'submissions')
    return [...new Set(rows.flatMap(({ workerAddress, rejectedAt }) => (rejectedAt === null ? [workerAddress] : [])))]
  }
  const winners = async (open: Open) => {
    const [first, ...others] = await activeWorkers(open)
    const worth = 10_000 - others.length
    return { winners: [{ worker: first, share: worth }, ...others.map((worker) => ({ worker, share: 1 }))] }
  }
  const awards = async (open: Open) => {
    const workers = open.task.claimedBy === null ? await activeWorkers(open) : [open.task.claimedBy]
    return workers.map((worker: string, index: number) => ({ worker, amount: '1000', rank: index + 1 }))
  }
  /** All that the evaluator's fee leaves of a contest's reward, to the first worker but for a small part of each other. */
  const wholeReward = async (open: Open) => {
    const { reward, evaluatorFeeBps } = open.task
    const available = BigInt(reward) - (BigInt(reward) * BigInt(evaluatorFeeBps)) / 10_000n
    const [first, ...others] = await awards(open)
    return [{ ...first, amount: String(available - 1000n * BigInt(others.length)) }, ...others]
  }
  /** Below every bid that the wallet can see: its own one, and in an english auction all. */
  const price = async ({ task, as }: Open) => {
    const bids: Row[] = (await get(`/tasks/${task.id}/bids`, { as })).body
    const seen = bids.flatMap((bid) => (bid.price === null ? [] : [BigInt(bid.price)]))
    const least = seen.find((bid) => seen.every((other) => bid <= other)) ?? BigInt(task.maxPrice)
    return String(least - 1n - BigInt(random.below(1000)))
  }

  const chooseFor: Partial<Record<Action, (open: Open) => Promise<Fields> | Fields>> = {
    submit: () => ({ text: `Haiku ${random.word()}` }),
    submit_proof: () => ({
      proofData: `https://example.com/${random.word()}`,
      metricValue: String(random.below(1000)),
    }),
    pitch: () => ({ pitchText: `I have done this ${random.below(1000)} times` }),
    bid: async (open) => ({ price: await price(open) }),
    accept: async (open) => ({ worker: random.pick(await activeWorkers(open)) }),
    reject_submission: async (open) => ({ worker: random.pick(await activeWorkers(open)) }),
    accept_submissions: winners,
    rate: () => ({ rating: random.below(101) }),
    update: async ({ task }) =>
      random.pick<Fields>([
        { expiryTime: Math.max(Date.parse(task.expiryTime) / 1000, Number(await chain.headTime())) + 86_400 },
        { reward: String(BigInt(task.reward) + 1_000_000n) },
      ]),
    select_worker: async (open) => {
      const { id, workerAddress } = random.pick(await rowsOf(open, 'pitches'))
      return { pitchId: id, workerAddress }
    },
    evaluate: async (open) => {
      // Before the expiry of a contest only a full approval is offered.
      if (open.offer.command.includes('--verdict approve ')) {
        return { verdict: 'approve', awards: await wholeReward(open) }
      }
      return random.pick<Fields>([
        { verdict: 'reject' },
        { verdict: 'partial', awards: await awards(open) },
        { verdict: 'approve', ...(open.task.claimedBy === null && { awards: await awards(open) }) },
      ])
    },
    resolve_dispute: async (open) => ({ verdict: random.pick(['approve', 'partial']), awards: await awards(open) }),
  }
  return async (open) => (await chooseFor[open.offer.action]?.(open)) ?? {}
}
