import { setTimeout as pause } from 'node:timers/promises'

/** How often a condition is looked at, milliseconds. */
const LOOK_EVERY_MS = 10

/**
 * Resolves once `condition` returns something else than null, undefined and false.
 * @throws at the deadline, with what was waited for
 */
export async function pollUntil<Value>(
  what: string,
  condition: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  deadlineMs = 15_000,
): Promise<Value> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const value = await condition()
    if (value !== null && value !== undefined && value !== false) return value
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`)
    await pause(LOOK_EVERY_MS)
  }
}
