import type { FaultCaseContext } from '../fault-case.ts'
import { startWriteLoad } from './write-load.ts'

/** Writes that a load has completed before the accident. */
const BEFORE = 10
/** From the accident to a write that completes, milliseconds. */
const LONGEST_MS = 60_000

/**
 * Practises an accident under a load of writes: has it happen and be repaired, and notes how long no write completed.
 * @param practise resolves when the part that was lost is there again
 * @throws when a write of the load does not complete in the end
 */
export async function practiseUnderLoad(
  context: FaultCaseContext,
  { classes, practise }: { classes: readonly string[]; practise(): Promise<void> },
): Promise<void> {
  const load = startWriteLoad(context, classes)
  try {
    await context.until('writes before the accident', () => load.completed() >= BEFORE, LONGEST_MS)
    const happenedAt = performance.now()
    await practise()
    const repairedAt = performance.now()
    const completed = load.completed()
    await context.until('a write after the accident', () => load.completed() > completed, LONGEST_MS)
    const [repair, next] = [repairedAt, performance.now()].map((at) => seconds(at - happenedAt))
    context.note(`repaired after ${repair}, the next write completed after ${next}`)
    context.noteRecovery(performance.now() - repairedAt)
  } finally {
    await load.stop()
  }
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
