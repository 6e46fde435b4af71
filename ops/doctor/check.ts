import type { DoctorContext } from './open-context.ts'

/**
 * Results of a check. `wrong` requires a repair, a `warning` requires attention; `unchecked`: this machine lacks the settings or
 * files for the check.
 */
export const results = ['ok', 'warning', 'wrong', 'unchecked'] as const
export type Result = (typeof results)[number]

/** One line of the report. */
export interface Finding {
  check: string
  /** Name of the fault, as in `docs/operate/doctor.md`; absent: no fault. */
  fault?: string
  result: Result
  finding: string
  /** Remedy of the fault. */
  remedy?: string
}

/** A fault that a check can report. */
export interface Fault {
  result: 'warning' | 'wrong'
  /** Meaning of the fault as a sentence; the subject replaces `...`. */
  meaning: string
  /** Remedy, as an imperative. */
  remedy: string
}

/** An observation of one subject by a check. */
export type Observation<Name extends string> =
  | { ok: string }
  | { unchecked: string }
  /** `of`: subject of the fault; `detail`: its figures and reasons. */
  | { fault: Name | 'no_answer'; of?: string; detail?: string }

export interface Check<Name extends string = string> {
  name: string
  /** The parts of the machine that the check inspects, as nouns. Example: `the disks of this machine`. */
  looksAt: string
  /** Time limit, milliseconds. Default `TIME_LIMIT_MS`. */
  timeLimitMs?: number
  /** Checks whose faults explain a missing answer of this one, which then counts as unchecked. */
  follows?: readonly string[]
  /** Faults by name. `no_answer`: the check failed or exceeded its time limit. */
  faults: Record<Name | 'no_answer', Fault>
  find(context: DoctorContext): Promise<Observation<Name>[]>
}

/**
 * Defines a check; its table lists the names of its faults.
 * @example defineCheck<'full'>({ name: 'disk', looksAt: 'the disks of this machine', faults, find })
 */
export function defineCheck<Name extends string>(check: Check<Name>): Check<Name> {
  return check
}

/** Converts an observation to a line of the report. */
export function toFinding({ name, faults }: Pick<Check, 'name' | 'faults'>, observation: Observation<string>): Finding {
  if ('ok' in observation) return { check: name, result: 'ok', finding: observation.ok }
  if ('unchecked' in observation) return { check: name, result: 'unchecked', finding: observation.unchecked }
  const fault = faults[observation.fault]
  if (fault === undefined) throw new Error(`the check ${name} has no fault ${observation.fault}`)
  const { result, meaning, remedy } = fault
  const sentence = meaning.replace('...', observation.of ?? '')
  const finding = observation.detail === undefined ? sentence : `${sentence}: ${observation.detail}`
  return { check: name, fault: observation.fault, result, finding, remedy }
}
