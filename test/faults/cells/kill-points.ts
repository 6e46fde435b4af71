import { failpoints } from '../../../api/writes/failpoint.ts'
import type { Cell, CellContext, Topology } from '../cell.ts'
import { operations } from '../client/classes.ts'

/** Points that a write without a payment never meets. */
export const paidOnly: readonly string[] = ['after-verify']
/** The short profile takes each point once, with this class and topology. */
const shortClasses = ['create', 'free', 'fee-paid'] as const

/**
 * SIGKILL at every point of the pipeline, for every class of writes: alone, and then the process is started again; or
 * beside a second process, and then that one takes over.
 */
export const cells: readonly Cell[] = failpoints.flatMap((point, index) =>
  Object.entries(operations)
    .filter(([, { leg }]) => leg === 'paid' || !paidOnly.includes(point))
    .flatMap(([name]) =>
      ([1, 2] as const).map((topology) => ({
        name: `kill ${point}, ${name}, ${topology} process${topology === 1 ? '' : 'es'}`,
        topology,
        short: isShort(index, name, topology),
        fewest: 1,
        run: (context: CellContext) => killAt(context, { point, name, topology }),
      })),
    ),
)

function isShort(index: number, name: string, topology: Topology): boolean {
  const isTurn = shortClasses[index % shortClasses.length] === name
  return (isTurn || name === 'create') && topology === (index % 2 === 0 ? 1 : 2)
}

async function killAt(
  context: CellContext,
  { point, name, topology }: { point: string; name: string; topology: Topology },
): Promise<void> {
  const [victim, other] = context.replicas
  if (victim === undefined) throw new Error('a cell has a process')
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
