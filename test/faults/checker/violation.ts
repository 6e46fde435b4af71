import type { Evidence } from './evidence.ts'

/** The counter of the run's sum that a violation increments. */
export type Counter = 'lost' | 'paid twice' | 'charged for nothing'

/** A failed check. */
export interface Violation {
  /** The invariant's name. */
  invariant: string
  counter: Counter | null
  /** The key, transaction or relayer that failed the check. A repeated violation is reported once. */
  subject: string
  message: string
}

/** A check: the violations that the evidence proves. */
export type Invariant = (evidence: Evidence) => Violation[]

/** Makes violations of one invariant. */
export function violationsOf(invariant: string) {
  return (subject: string, message: string, counter: Counter | null = null): Violation => ({
    invariant,
    counter,
    subject,
    message,
  })
}
