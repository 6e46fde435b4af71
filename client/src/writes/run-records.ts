import type { JournalEntry } from '../store/store.ts'

/**
 * The time in milliseconds that a call may take for its requests and signatures, in addition to the timeout for the
 * outcome.
 */
const WORK_MS = 300_000

/** `isAlive` reports whether the process named `owner` may still be running. `now` is the time in Unix milliseconds. */
interface Liveness {
  isAlive: (owner: string) => boolean
  now: number
}

/**
 * Records a call in the journal entry of its write.
 * @returns the call's id
 */
export function enterRun(
  entry: JournalEntry,
  { owner, now, waitMs = 0 }: { owner: string; now: number; waitMs?: number },
): string {
  const id = crypto.randomUUID()
  entry.runs[id] = { owner, workUntil: now + waitMs + WORK_MS, unansweredUntil: null }
  return id
}

/**
 * Removes a call from the journal entry of its write.
 * @param unansweredUntil the latest time, in Unix seconds, at which a request of the call may still reach the service;
 * null if every request was answered
 */
export function endRun(entry: JournalEntry, id: string, unansweredUntil: number | null): void {
  delete entry.runs[id]
  entry.unansweredUntil = laterOf(entry.unansweredUntil, unansweredUntil)
}

/**
 * Removes the calls whose process has ended, and the calls that are past their maximum duration. `now` is in Unix
 * milliseconds.
 */
export function endDeadRuns(entry: JournalEntry, { isAlive, now }: Liveness): void {
  for (const [id, { owner, workUntil, unansweredUntil }] of Object.entries(entry.runs)) {
    if (now < workUntil && isAlive(owner)) continue
    if (unansweredUntil !== null) entry.isLeftOpen = true
    endRun(entry, id, unansweredUntil)
  }
}

/** Reports whether a call other than `id` may be working on the write. `now` is in Unix milliseconds. */
export function isAtWork({ runs }: JournalEntry, { isAlive, now, id }: Liveness & { id?: string }): boolean {
  return Object.entries(runs).some(([other, { owner, workUntil }]) => other !== id && now < workUntil && isAlive(owner))
}

/** Returns the later of two times; null if both are null. */
function laterOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
