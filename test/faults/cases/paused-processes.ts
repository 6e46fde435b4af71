import type { Failpoint } from '../../../api/failpoint.ts'
import type { FaultCase, FaultContext } from '../fault-case.ts'
import { metPoints } from './kill-points.ts'

/**
 * A process frozen there holds a transaction open: the next one waits until Postgres ends its session (20 s), and then
 * for those whose sessions waited for the first.
 */
const insideTransaction: readonly Failpoint[] = ['before-bind-commit', 'before-complete-commit']
/** How long the other process may take, milliseconds. */
const TAKEOVER_MS = 100_000

/**
 * A process is frozen (SIGSTOP) at a point of the pipeline, the other one takes over and finishes; then the frozen one
 * goes on (SIGCONT) with all it believes, and must do no harm. A last write goes through it.
 */
export const faultCases: readonly FaultCase[] = metPoints.flatMap(({ point, classes }, index) =>
  classes.map((name) => ({
    name: `paused process ${point}, ${name}`,
    topology: 2,
    short: name === 'create' && !insideTransaction.includes(point) && index % 3 === 0,
    // Wherever it stops, another write of it may have rows locked: who needs them is told to come again.
    isOutage: true,
    fewest: 1,
    deadlineMs: 200_000,
    run: (context: FaultContext) => freezeAt(context, point, name),
  })),
)

async function freezeAt(context: FaultContext, point: Failpoint, name: string): Promise<void> {
  const [pausedProcess, other] = context.replicas
  if (pausedProcess === undefined || other === undefined) throw new Error('a paused process needs a process beside it')
  if (other.state === 'down') await other.start()
  await pausedProcess.stop()
  const writes = await context.prepare(name, context.random.pick([1, 1, 3]))
  const [last] = await context.prepare('create')
  await other.pause()
  await pausedProcess.start({ FAILPOINT: `${point}:stop` })
  const outcomes = writes.map((write) => context.perform(write))
  await pausedProcess.untilPaused()
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
    pausedProcess.resume()
    await isOver
  }
  context.prefer(pausedProcess)
  if (last !== undefined) await context.perform(last)
}

/** Lets everything else go on once. */
function next(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => resolve(false)))
}
