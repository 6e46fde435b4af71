import { createHash } from 'node:crypto'

const ROUNDS = 5
const STEPS = 100_000

/**
 * Milliseconds of a fixed amount of work on one core, the least of several rounds: by it, absolute figures of machines of
 * different speeds are compared.
 */
export function measureReferenceLoop(): number {
  return Math.min(...Array.from({ length: ROUNDS }, runOnce))
}

/** Calls into native code, short-lived objects, and arithmetic, as a service has them. */
function runOnce(): number {
  const startedAt = performance.now()
  let text = ''
  for (let step = 0; step < STEPS; step += 1) {
    text = createHash('sha256').update(JSON.stringify({ step, text })).digest('hex')
  }
  return performance.now() - startedAt
}
