import type { FaultCaseContext } from '../fault-case.ts'
import { startWriteLoad } from './write-load.ts'

/** Writes that a load has completed before the accident. */
const BEFORE = 10
/** From the accident to a write that completes, milliseconds. */
const LONGEST_MS = 180_000

/**
 * Practises an accident under a load of writes: has it happen and be repaired, and notes how long no write completed (RTO). No
 * answered write may be lost by it (RPO 0), which the checker proves.
 * @param practise resolves when the part that was lost is there again
 * @param what names it in the note, where a fault case practises several
 * @throws when a write of the load does not complete in the end
 */
export async function practiseUnderLoad(
  context: FaultCaseContext,
  { classes, what, practise }: { classes: readonly string[]; what?: string; practise(): Promise<void> },
): Promise<void> {
  const load = startWriteLoad(context, classes)
  try {
    await context.until('writes before the accident', () => load.completions.length >= BEFORE, LONGEST_MS)
    const happenedAt = performance.now()
    await practise()
    const repairedAt = performance.now()
    const completed = load.completions.length
    await context.until('a write after the accident', () => load.completions.length > completed, LONGEST_MS)
    const times = [happenedAt, ...load.completions.filter((at) => at > happenedAt)]
    const longest = Math.max(...times.map((at, index) => at - (times[index - 1] ?? at)))
    context.note(
      `${what === undefined ? '' : `${what}: `}RPO 0, RTO ${seconds(longest)}: so long no write completed; all was done after ${seconds(repairedAt - happenedAt)}`,
    )
    context.noteRecovery(performance.now() - repairedAt)
  } finally {
    await load.stop()
  }
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
