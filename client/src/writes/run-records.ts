import type { JournalEntry } from '../store/store.ts'

/** Maximum duration of a call besides its wait for the outcome, milliseconds: requests and signatures. */
const WORK_MS = 300_000

/** `isAlive`: reports whether the process of a name may be running. `now`: milliseconds. */
interface Liveness {
  isAlive: (owner: string) => boolean
  now: number
}

/**
 * Adds a call to the entry of its write.
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
 * Ends a call.
 * @param unansweredUntil Unix seconds until which one of its requests may arrive; null: each was answered
 */
export function endRun(entry: JournalEntry, id: string, unansweredUntil: number | null): void {
  delete entry.runs[id]
  entry.unansweredUntil = laterOf(entry.unansweredUntil, unansweredUntil)
}

/** Ends the calls whose process ended or whose time is over. `now`: milliseconds. */
export function endDeadRuns(entry: JournalEntry, { isAlive, now }: Liveness): void {
  for (const [id, { owner, workUntil, unansweredUntil }] of Object.entries(entry.runs)) {
    if (now < workUntil && isAlive(owner)) continue
    if (unansweredUntil !== null) entry.isLeftOpen = true
    endRun(entry, id, unansweredUntil)
  }
}

/** Reports whether a call other than `id` may be working on a write. `now`: milliseconds. */
export function isAtWork({ runs }: JournalEntry, { isAlive, now, id }: Liveness & { id?: string }): boolean {
  return Object.entries(runs).some(([other, { owner, workUntil }]) => other !== id && now < workUntil && isAlive(owner))
}

/** Returns the later of two ends; null: none. */
function laterOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
