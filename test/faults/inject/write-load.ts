import { setTimeout as pause } from 'node:timers/promises'
import type { PreparedWrite } from '../client/operations.ts'
import type { Outcome } from '../client/outcome.ts'
import type { FaultCaseContext } from '../fault-case.ts'
import { expectAll } from './steps.ts'

/** Writes of some classes in turn, without an end; what they need is made through the service too. */
export interface WriteLoad {
  /** When each completed write did, in order (performance.now()). */
  completions: readonly number[]
  /** Performs these besides its own. @returns their outcomes */
  add(writes: readonly PreparedWrite[]): Promise<Outcome>[]
  /** Resolves when the last write has its outcome. @throws when one did not complete */
  stop(): Promise<void>
}

/** Between two writes, milliseconds: reads need the processors too. */
const PAUSE_MS = 50
/** Writes without an outcome: more than a slow machine completes would wait for each other until the first ones give up. */
const MOST_OPEN = 8

export function startWriteLoad(context: FaultCaseContext, classes: readonly string[]): WriteLoad {
  const stopping = new AbortController()
  const outcomes: Promise<Outcome>[] = []
  const completions: number[] = []
  const add = (write: PreparedWrite): Promise<Outcome> => {
    const outcome = context.perform(write).then((ended) => {
      completions.push(performance.now())
      return ended
    })
    // A write that fails early is reported by `stop`.
    outcome.catch(() => {})
    outcomes.push(outcome)
    return outcome
  }
  const load = async (): Promise<void> => {
    const open = new Set<Promise<unknown>>()
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const [write] = await context.prepare(classes[turn % classes.length] ?? '')
      if (write !== undefined) {
        const ended = add(write)
          .catch(() => {})
          .finally(() => open.delete(ended))
        open.add(ended)
      }
      await pause(PAUSE_MS)
      if (open.size >= MOST_OPEN) await Promise.race(open)
    }
  }
  const loading = load()
  loading.catch(() => {})
  return {
    completions,
    add: (writes) => writes.map(add),
    stop: async () => {
      stopping.abort()
      await loading
      expectAll(await Promise.all(outcomes), 'completed')
    },
  }
}

/** Writes that `completeWrites` completes, and how long that may take, milliseconds. */
const ENOUGH = 10
const ENOUGH_MS = 120_000

/** Runs a load until some writes have completed, and ends it: no write is on its way. */
export async function completeWrites(context: FaultCaseContext, classes: readonly string[]): Promise<void> {
  const load = startWriteLoad(context, classes)
  try {
    await context.until('writes to complete', () => load.completions.length >= ENOUGH, ENOUGH_MS)
  } finally {
    await load.stop()
  }
  await context.quiesce()
}
