import { setTimeout as pause } from 'node:timers/promises'

/** Poll interval of a condition, milliseconds. */
const POLL_EVERY_MS = 10
/** Default deadline, milliseconds: only a wait without hope takes so long, on a busy machine too. */
const DEADLINE_MS = 60_000

/**
 * Resolves once `condition` returns something else than null, undefined and false.
 * @throws at the deadline, with what was waited for
 */
export async function pollUntil<Value>(
  what: string,
  condition: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  deadlineMs = DEADLINE_MS,
): Promise<Value> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const value = await condition()
    if (value !== null && value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms for ${what}`)
    await pause(POLL_EVERY_MS)
  }
}
