import { type Failpoint, failpoints, filePoints } from '../../../api/failpoint.ts'
import { operations } from '../client/classes.ts'
import type { FaultCase, FaultContext, Topology } from '../fault-case.ts'

/** Points that not every class meets: without a payment, without files, with files in the body. */
const classesAt: Partial<Record<Failpoint, readonly string[]>> = {
  'after-verify': Object.keys(operations).filter((name) => operations[name]?.leg === 'paid'),
  'after-store': ['free', 'upload'],
  'after-adopt': ['upload'],
  // Met by a PUT, which is no write of the pipeline.
  'after-upload': [],
}

/** Every point with the classes of writes that meet it. */
export const metPoints = [...failpoints, ...filePoints].map((point) => ({
  point,
  classes: Object.keys(operations).filter((name) => classesAt[point]?.includes(name) ?? true),
}))

/** The short profile takes each point once, with this class and topology; and where files matter, an upload too. */
const shortClasses = ['create', 'free', 'fee-paid'] as const
const shortUploads: readonly Failpoint[] = ['after-store']

/**
 * SIGKILL at every point of the pipeline, for every class of writes: alone, and then the process is started again; or
 * beside a second process, and then that one takes over.
 */
export const faultCases: readonly FaultCase[] = metPoints.flatMap(({ point, classes }, index) =>
  classes.flatMap((name) =>
    ([1, 2] as const).map((topology) => ({
      name: `kill ${point}, ${name}, ${topology} process${topology === 1 ? '' : 'es'}`,
      topology,
      short: isShort({ point, index, name, topology }),
      fewest: 1,
      run: (context: FaultContext) => killAt(context, { point, name, topology }),
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
  if (topology !== (index % 2 === 0 ? 1 : 2)) return false
  if (name === 'upload') return shortUploads.includes(point)
  return shortClasses[index % shortClasses.length] === name
}

async function killAt(
  context: FaultContext,
  { point, name, topology }: { point: string; name: string; topology: Topology },
): Promise<void> {
  const [victim, other] = context.replicas
  if (victim === undefined) throw new Error('a fault case has a process')
  if (other?.state === 'down') await other.start()
  const writes = await context.prepare(name, context.random.pick([1, 1, 2, 4]))
  await victim.stop()
  // Whatever the victim does not do must wait for its end: else the other one might do it all.
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
