import { operations } from '../client/classes.ts'
import type { PreparedWrite } from '../client/operations.ts'
import type { Outcome } from '../client/outcome.ts'
import type { Replica } from '../environment/replica.ts'
import type { FaultCaseContext, Topology } from '../fault-case.ts'

/** One class of writes on one or two processes. */
export interface Scope {
  /** Name of the class. */
  name: string
  topology: Topology
  /** For a fault case's name: `create, 2 processes`. */
  label: string
}

export const topologies: readonly Topology[] = [1, 2]

/** Every class of writes on one process and on two. */
export function scopes(): Scope[] {
  return Object.keys(operations).flatMap((name) =>
    topologies.map((topology) => ({ name, topology, label: `${name}, ${describe(topology)}` })),
  )
}

export function describe(topology: Topology): string {
  return topology === 1 ? '1 process' : '2 processes'
}

/**
 * This many writes of each class, in an order that the seed determines.
 * @param names the classes; absent: all of them
 */
export async function prepareMixed(
  context: FaultCaseContext,
  each: number,
  names: readonly string[] = Object.keys(operations),
): Promise<PreparedWrite[]> {
  const writes: PreparedWrite[] = []
  for (const name of names) writes.push(...(await context.prepare(name, each)))
  return writes
    .map((write) => ({ write, place: context.random.integer(0, 2 ** 30) }))
    .sort((a, b) => a.place - b.place)
    .map(({ write }) => write)
}

/** Performs all in parallel. @returns the outcomes, in their order */
export function performAll(context: FaultCaseContext, writes: readonly PreparedWrite[]): Promise<Outcome[]> {
  return Promise.all(writes.map((write) => context.perform(write)))
}

/** Performs all in parallel; injects, and repairs when `untilBroken` resolves; notes the time from the repair to each outcome. */
export async function performThrough(
  context: FaultCaseContext,
  writes: readonly PreparedWrite[],
  fault: { inject(): void | Promise<void>; untilBroken(): Promise<unknown>; repair(): void | Promise<void> },
): Promise<Outcome[]> {
  await fault.inject()
  const outcomes = writes.map((write) => context.perform(write))
  await fault.untilBroken()
  await fault.repair()
  const repairedAt = performance.now()
  return await Promise.all(
    outcomes.map(async (outcome) => {
      const result = await outcome
      context.noteRecovery(performance.now() - repairedAt)
      return result
    }),
  )
}

/** Throws unless every write has this outcome. */
export function expectAll(outcomes: readonly Outcome[], kind: Outcome['kind']): void {
  const others = outcomes.filter((outcome) => outcome.kind !== kind)
  if (others.length > 0) throw new Error(`expected ${kind}, got ${JSON.stringify(others)}`)
}

/** The first of a fault case's processes. */
export function firstOf({ replicas }: FaultCaseContext): Replica {
  const [first] = replicas
  if (first === undefined) throw new Error('a fault case has a process')
  return first
}

/** Resolves when one of these writes was answered with a status that `isWanted`. */
export async function untilAnswered(
  context: FaultCaseContext,
  writes: readonly PreparedWrite[],
  isWanted: (status: number) => boolean,
): Promise<void> {
  const keys = new Set(writes.map(({ call }) => call.key))
  const { http } = context.environment.log
  await context.until('an answer that tells of the fault', () =>
    http.some(({ key, status }) => key !== null && keys.has(key) && status !== null && isWanted(status)),
  )
}

/** Resolves when one of these writes has one of these statuses in the service's table. */
export async function untilStatus(
  context: FaultCaseContext,
  writes: readonly PreparedWrite[],
  statuses: readonly string[],
): Promise<void> {
  const keys = writes.map(({ call }) => call.key)
  const { sql } = context.environment
  await context.until(`a write to be ${statuses.join(' or ')}`, async () => {
    const rows = await sql`
      select 1 from service.intents where idempotency_key in ${sql(keys)} and status in ${sql([...statuses])}`
    return rows.length > 0
  })
}
