import { START } from '../rows/insert-row.ts'
import type { TaskColumns } from '../rows/task-rows.ts'
import type { KnownTask } from './environment.ts'

/** A task in one state, as rows describe it. */
export interface Stage extends Omit<Partial<TaskColumns>, 'mode' | 'status'>, Pick<KnownTask, 'mode' | 'status'> {
  /** Has an assigned worker, who in `delivered` has delivered. In contests: two workers have. */
  assigned?: boolean
  delivered?: boolean
  /** Has an evaluator and a resolver. */
  evaluated?: boolean
}

const past = START - 100n
const longAgo = START - 91n * 86_400n
const soon = START + 3600n

/** States with an evaluator, before and after their deadline. */
const evaluated = (kind: Stage): Stage[] =>
  [soon, past].flatMap((deadline) => [
    { ...kind, status: 'review', evaluated: true, evaluatorDeadline: deadline },
    { ...kind, status: 'appealing', evaluated: true, appealDeadline: deadline },
    { ...kind, status: 'disputed', evaluated: true, resolutionDeadline: deadline },
  ])

const contest = (mode: 'bounty' | 'benchmark'): Stage[] => [
  ...[false, true].flatMap((delivered) => [
    { mode, status: 'open', delivered },
    { mode, status: 'open', delivered, expiryTime: past },
    { mode, status: 'open', delivered, evaluated: true },
  ]),
  ...evaluated({ mode, status: 'open', delivered: true }).filter(({ status }) => status !== 'review'),
  ...['cancelled', 'expired', 'completed'].map((status) => ({ mode, status, expiryTime: past })),
]

const forOneWorker = (kind: Stage): Stage[] => {
  const delivered = { ...kind, assigned: true, delivered: true }
  return [
    { ...kind, status: 'open', expiryTime: past },
    { ...kind, assigned: true },
    { ...kind, assigned: true, expiryTime: past },
    { ...delivered, status: 'pending_approval' },
    { ...delivered, status: 'completed' },
    ...evaluated(delivered),
  ]
}

const auctions: Stage[] = (['dutch', 'english', 'reverse_dutch', 'reverse_english'] as const).flatMap((auctionType) =>
  [soon, past].map((bidDeadline) => ({
    mode: 'auction' as const,
    status: 'open',
    auctionType,
    bidDeadline,
    ...(auctionType.endsWith('dutch') && { clockPrice: 1_000_000n }),
    ...(bidDeadline === past &&
      auctionType.endsWith('english') && { bidCount: 1, bidderCount: 1, lowestBid: 4_000_000n }),
  })),
)

/** Tasks of every mode, before and after each transition. */
export const stages: readonly Stage[] = [
  ...contest('bounty'),
  ...contest('benchmark'),
  { mode: 'claim', status: 'open' },
  { mode: 'claim', status: 'open', expiryTime: longAgo },
  { mode: 'claim', status: 'open', stakeBps: 1000 },
  ...forOneWorker({ mode: 'claim', status: 'claimed' }),
  { mode: 'pitch', status: 'open', pitchDeadline: soon },
  { mode: 'pitch', status: 'open', pitchDeadline: past },
  ...forOneWorker({ mode: 'pitch', status: 'worker_selected', pitchDeadline: past }),
  ...auctions,
  ...forOneWorker({ mode: 'auction', status: 'claimed', auctionType: 'english', bidDeadline: past, price: 4_000_000n }),
]
