import type { DoctorContext } from './open-context.ts'

/**
 * Results of a check. `wrong`: needs a repair. `warning`: needs attention. `unchecked`: this machine lacks the settings
 * or files for the check.
 */
export const results = ['ok', 'warning', 'wrong', 'unchecked'] as const
export type Result = (typeof results)[number]

/** One line of the doctor's report. */
export interface Finding {
  check: string
  /** Name of the fault, as listed in `docs/operate/doctor.md`; absent if there is no fault. */
  fault?: string
  result: Result
  finding: string
  /** The action that repairs the fault; absent if there is no fault. */
  remedy?: string
}

/** A fault that a check can report. */
export interface Fault {
  result: 'warning' | 'wrong'
  /**
   * Meaning of the fault, as a sentence. In a finding, the name of the faulty subject replaces the `...` in the
   * sentence.
   */
  meaning: string
  /** The action that repairs the fault, in the imperative. */
  remedy: string
}

/** The result of inspecting one subject, such as one node or one disk. */
export type Observation<Name extends string> =
  | { ok: string }
  | { unchecked: string }
  /**
   * A fault of the subject. `of`: name of the subject, such as `RPC_URL`. `detail`: the measured values and the
   * reasons.
   */
  | { fault: Name | 'no_answer'; of?: string; detail?: string }

export interface Check<Name extends string = string> {
  name: string
  /** The parts of the machine that the check inspects, as nouns. Example: `the disks of this machine`. */
  looksAt: string
  /** Time limit, in milliseconds. Default `TIME_LIMIT_MS`. */
  timeLimitMs?: number
  /**
   * Names of the checks that this check depends on. If one of these checks has a finding with the result `wrong` and
   * this check gives no answer, this check counts as unchecked.
   */
  follows?: readonly string[]
  /** The faults by their names. `no_answer` means that the check failed or exceeded its time limit. */
  faults: Record<Name | 'no_answer', Fault>
  find(context: DoctorContext): Promise<Observation<Name>[]>
}

/**
 * Defines a check. The type parameter lists the names of the check's faults.
 * @example defineCheck<'full'>({ name: 'disk', looksAt: 'the disks of this machine', faults, find })
 */
export function defineCheck<Name extends string>(check: Check<Name>): Check<Name> {
  return check
}

/** Converts an observation of a check to a line of the doctor's report. */
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
