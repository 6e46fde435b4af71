import { type Failpoint, failpoints, filePoints } from '../../../api/failpoint.ts'
import { operations } from '../client/classes.ts'
import type { FaultCase, FaultCaseContext, Topology } from '../fault-case.ts'

/** Points that only some classes reach: those with a payment, or with files. */
const classesAt: Partial<Record<Failpoint, readonly string[]>> = {
  'after-verify': Object.keys(operations).filter((name) => operations[name]?.mode === 'paid'),
  'after-store': ['free', 'upload'],
  'after-adopt': ['upload'],
}

/** Every point with the classes of writes that reach it. */
export const reachedPoints = [...failpoints, ...filePoints].map((point) => ({
  point,
  classes: Object.keys(operations).filter((name) => classesAt[point]?.includes(name) ?? true),
}))

/**
 * The short profile has each stored state of a write once, with one class and topology, and an upload before its bind. It
 * leaves out the points that store what another one does: an open transaction leaves nothing, so before the bind there is a
 * reservation alone, and `before-complete-commit` leaves what `after-mined` does; `before-reply` leaves what `after-complete`
 * does.
 */
const notShort: readonly Failpoint[] = [
  'after-reserve',
  'after-simulate',
  'before-bind-commit',
  'after-answer',
  'before-complete-commit',
  'before-reply',
]
const shortClasses = ['create', 'free', 'bound', 'withdraw', 'fee-paid'] as const
const shortUploads: readonly Failpoint[] = ['after-store']

/**
 * SIGKILL at every point of the pipeline, for every class of writes: alone, and then the process is started again; or
 * beside a second process, and then that one takes over.
 */
export const faultCases: readonly FaultCase[] = reachedPoints.flatMap(({ point, classes }, index) =>
  classes.flatMap((name) =>
    ([1, 2] as const).map((topology) => ({
      name: `kill ${point}, ${name}, ${topology} process${topology === 1 ? '' : 'es'}`,
      topology,
      short: isShort({ point, index, name, topology }),
      fewest: 1,
      run: (context: FaultCaseContext) => killAt(context, { point, name, topology }),
    })),
  ),
)

function isShort({
  point,
  index,
  name,
  topology,
}: {
  point: Failpoint
  index: number
  name: string
  topology: Topology
}) {
  if (notShort.includes(point) || topology !== (index % 2 === 0 ? 1 : 2)) return false
  if (name === 'upload') return shortUploads.includes(point)
  return shortClasses[index % shortClasses.length] === name
}

async function killAt(
  context: FaultCaseContext,
  { point, name, topology }: { point: string; name: string; topology: Topology },
): Promise<void> {
  const [victim, other] = context.replicas
  if (victim === undefined) throw new Error('a fault case has a process')
  if (other?.state === 'down') await other.start()
  const writes = await context.prepare(name, context.random.pick([1, 1, 2, 4]))
  await victim.stop()
  // The other process must wait until the victim has ended: else it might complete every write.
  await other?.pause()
  await victim.start({ FAILPOINT: point })
  const outcomes = writes.map((write) => context.perform(write))
  await victim.untilDead()
  const repairedAt = performance.now()
  if (topology === 1) await victim.start()
  else other?.resume()
  await Promise.all(
    outcomes.map(async (outcome) => {
      await outcome
      context.noteRecovery(performance.now() - repairedAt)
    }),
  )
}
