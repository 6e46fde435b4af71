import type { Evidence } from './evidence.ts'

/** What a violation adds to in the sum of a run, if anything. */
export type Counter = 'lost' | 'paid twice' | 'charged for nothing'

/** Something that must not be. */
export interface Violation {
  /** The invariant's name. */
  invariant: string
  counter: Counter | null
  /** What it is about: a key, a transaction, a relayer. The same again is not told twice. */
  subject: string
  message: string
}

/** An invariant, and the evidence against it. */
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
