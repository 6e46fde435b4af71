import fc from 'fast-check'
import type { FilterName } from '../../../api/features/task-filters.ts'
import type { TaskColumns, TaskTexts } from '../../support/rows/task-rows.ts'

/** A task as the test made it, with all that lists ask of it. */
export interface ModelTask
  extends Pick<TaskColumns, 'id' | 'referenceCode' | 'requester' | 'mode' | 'status' | 'reward' | 'listed'> {
  auctionType: string | null
  createdAtMs: bigint
  expiryTime: bigint
  worker: string | null
  awardedTo: string[]
  texts: Pick<TaskTexts, 'tags' | 'description' | 'taskVisibility'> | null
  requesterIsAgent: boolean
  dropId: string | null
}

/** Values of filters, as the URL has them. */
export type ModelQuery = { [Name in FilterName]?: string | number | bigint | string[] }

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

type Condition = (task: ModelTask, value: string, now: bigint) => boolean

/** What the specification says of each filter: one row for each of the table of filters. */
const conditions: Record<FilterName, Condition> = {
  status: (task, status, now) =>
    status === 'ALL' || (task.status === status && (!running.includes(status) || now < task.expiryTime)),
  phase: (task, phase, now) => phases[phase]?.(task, now) === true,
  mode: ({ mode }, asked) => asked === 'ALL' || mode === asked,
  auctionType: ({ auctionType }, asked) => auctionType === asked,
  requesterActorType: ({ requesterIsAgent }, asked) => (asked === 'agent') === requesterIsAgent,
  tags: ({ texts }, asked) => asked.split(',').every((tag) => tag === '' || texts?.tags.includes(tag)),
  minReward: ({ reward }, least) => reward >= BigInt(least),
  maxReward: ({ reward }, most) => reward <= BigInt(most),
  deadlineHours: ({ expiryTime }, hours, now) => now < expiryTime && expiryTime <= now + BigInt(hours) * 3600n,
  requester: ({ requester }, asked) => requester === asked.toLowerCase(),
  worker: ({ worker, awardedTo }, asked) => [worker, ...awardedTo].includes(asked.toLowerCase()),
  taskDropId: ({ dropId }, asked) => dropId === asked.toLowerCase(),
  q: ({ texts, referenceCode }, q) =>
    referenceCode === q.toUpperCase() || `${texts?.description} ${texts?.tags.join(' ')}`.split(' ').includes(q),
}

function isFound(task: ModelTask, query: ModelQuery, now: bigint): boolean {
  return Object.entries(query).every(
    ([name, value]) => value === undefined || conditions[name as FilterName](task, String(value), now),
  )
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
  drops: readonly string[]
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
      taskDropId: oneOf(values.drops),
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
