import fc from 'fast-check'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'

/** A task as the test made it, with all that lists ask of it. */
export interface ModelTask extends Pick<TaskColumns, 'id' | 'requester' | 'mode' | 'status' | 'reward' | 'listed'> {
  auctionType: string | null
  createdAtMs: bigint
  expiryTime: bigint
  worker: string | null
  awardedTo: string[]
  texts: Pick<TaskTexts, 'tags' | 'description' | 'taskVisibility'> | null
  requesterIsAgent: boolean
}

export interface ModelQuery {
  status?: string
  phase?: string
  mode?: string
  auctionType?: string
  requesterActorType?: string
  tags?: string[]
  minReward?: bigint
  maxReward?: bigint
  deadlineHours?: number
  requester?: string
  worker?: string
  q?: string
}

const running = ['open', 'claimed', 'worker_selected']
const phases: Record<string, (task: ModelTask, now: bigint) => boolean> = {
  active: (task, now) => task.status === 'pending_approval' || (running.includes(task.status) && now < task.expiryTime),
  awaiting_settlement: (task, now) => running.includes(task.status) && now >= task.expiryTime,
  in_review: ({ status }) => ['review', 'appealing', 'disputed'].includes(status),
  resolved: ({ status }) => ['completed', 'cancelled', 'expired'].includes(status),
}

/** What the specification says a list holds, newest first, row by row and without a database. */
export function listOf(tasks: readonly ModelTask[], query: ModelQuery, now: bigint): ModelTask[] {
  return tasks
    .filter((task) => task.listed && task.texts?.taskVisibility === 'public' && isFound(task, query, now))
    .toSorted((one, other) => Number(other.createdAtMs - one.createdAtMs))
}

function isFound(task: ModelTask, query: ModelQuery, now: bigint): boolean {
  const { status, phase, deadlineHours, worker, q } = query
  const checks = [
    status === undefined || (task.status === status && (!running.includes(status) || now < task.expiryTime)),
    phase === undefined || phases[phase]?.(task, now),
    query.mode === undefined || task.mode === query.mode,
    query.auctionType === undefined || task.auctionType === query.auctionType,
    query.requesterActorType === undefined || (query.requesterActorType === 'agent') === task.requesterIsAgent,
    (query.tags ?? []).every((tag) => task.texts?.tags.includes(tag)),
    query.minReward === undefined || task.reward >= query.minReward,
    query.maxReward === undefined || task.reward <= query.maxReward,
    deadlineHours === undefined || (now < task.expiryTime && task.expiryTime <= now + BigInt(deadlineHours) * 3600n),
    query.requester === undefined || task.requester === query.requester,
    worker === undefined || task.worker === worker || task.awardedTo.includes(worker),
    q === undefined || `${task.texts?.description} ${task.texts?.tags.join(' ')}`.split(' ').includes(q),
  ]
  return checks.every((check) => check === true)
}

export interface Values {
  statuses: readonly string[]
  modes: readonly string[]
  auctionTypes: readonly string[]
  tags: readonly string[]
  words: readonly string[]
  rewards: readonly bigint[]
  requesters: readonly string[]
  workers: readonly string[]
}

/** Queries of up to all filters, most of few. */
export function queries(values: Values): fc.Arbitrary<ModelQuery> {
  const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
  const oneOf = <Value>(list: readonly Value[]) => sometimes(fc.constantFrom(...list))
  return fc
    .record({
      status: oneOf(values.statuses),
      phase: oneOf(Object.keys(phases)),
      mode: oneOf(values.modes),
      auctionType: oneOf(values.auctionTypes),
      requesterActorType: oneOf(['agent', 'human']),
      tags: sometimes(fc.subarray([...values.tags], { minLength: 1, maxLength: 2 })),
      minReward: oneOf(values.rewards),
      maxReward: oneOf(values.rewards),
      deadlineHours: sometimes(fc.integer({ min: 1, max: 60 })),
      requester: oneOf(values.requesters),
      worker: oneOf(values.workers),
      q: oneOf(values.words),
    })
    .chain((all) =>
      fc.subarray(Object.keys(all) as (keyof ModelQuery)[], { maxLength: 4 }).map((kept) => {
        const entries = Object.entries(all).filter(
          ([name, value]) => kept.includes(name as never) && value !== undefined,
        )
        return Object.fromEntries(entries) as ModelQuery
      }),
    )
}

/** The query as it stands in a URL. */
export function toSearch(query: ModelQuery & { sort?: string }): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) search.append(name, String(item))
  }
  return search.toString()
}
