import type { Failpoint } from '../../../api/failpoint.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { reachedPoints } from './kill-points.ts'

/** How long the other process may take, milliseconds. */
const TAKEOVER_MS = 100_000

/**
 * A process is paused (SIGSTOP) at a point of the pipeline, the other one takes over and finishes; then the paused one
 * continues (SIGCONT) with outdated state, and must change nothing. A last write goes through it.
 */
export const faultCases: readonly FaultCase[] = reachedPoints.flatMap(({ point, classes }) =>
  classes.map((name) => ({
    name: `pause ${point}, ${name}`,
    topology: 2,
    // Behind a lock of a process that is paused the other one waits for half a minute.
    short: false,
    // At any point another write of it may hold locks on rows: requests that need those are answered 503.
    isOutage: true,
    fewest: 1,
    deadlineMs: 200_000,
    run: (context: FaultCaseContext) => pauseAt(context, point, name),
  })),
)

async function pauseAt(context: FaultCaseContext, point: Failpoint, name: string): Promise<void> {
  const [paused, other] = context.replicas
  if (paused === undefined || other === undefined) throw new Error('a paused process needs another one beside it')
  if (other.state === 'down') await other.start()
  await paused.stop()
  const writes = await context.prepare(name, context.random.pick([1, 1, 3]))
  const [last] = await context.prepare('create')
  await other.pause()
  await paused.start({ FAILPOINT: `${point}:stop` })
  const outcomes = writes.map((write) => context.perform(write))
  await paused.untilPaused()
  other.resume()
  const resumedAt = performance.now()
  const recoveries = outcomes.map(async (outcome) => {
    await outcome
    context.noteRecovery(performance.now() - resumedAt)
  })
  const isOver = Promise.all(recoveries)
  try {
    await context.until(
      'the other process to finish',
      () => Promise.race([isOver.then(() => true), next()]),
      TAKEOVER_MS,
    )
  } finally {
    paused.resume()
    await isOver
  }
  context.prefer(paused)
  if (last !== undefined) await context.perform(last)
}

/** Resolves false in the next turn of the event loop. */
function next(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => resolve(false)))
}
