import type { DoctorContext } from './open-context.ts'

/** `wrong` is to be repaired, a `warning` to be looked at; `unchecked`: this machine does not have what it takes. */
export const results = ['ok', 'warning', 'wrong', 'unchecked'] as const
export type Result = (typeof results)[number]

/** One line of the report. */
export interface Finding {
  check: string
  /** The fault, as `docs/operate/doctor.md` lists it; absent where there is none. */
  fault?: string
  result: Result
  finding: string
  /** Remedy of the fault. */
  remedy?: string
}

/** A fault that a check can find. */
export interface Fault {
  result: 'warning' | 'wrong'
  /** The fault as a sentence; what has it stands in the place of `...`. */
  meaning: string
  /** Remedy, as an imperative. */
  remedy: string
}

/** Observation of one thing by a check. */
export type Observation<Name extends string> =
  | { ok: string }
  | { unchecked: string }
  /** `of`: what has the fault; `detail`: figures and reasons of it. */
  | { fault: Name | 'no_answer'; of?: string; detail?: string }

export interface Check<Name extends string = string> {
  name: string
  /** Things that it looks at: nouns. */
  looksAt: string
  /** Milliseconds until it counts as without an answer. Default `TIME_LIMIT_MS`. */
  timeLimitMs?: number
  /** Checks whose faults explain that it has no answer: then it is not checked. */
  follows?: readonly string[]
  /** `no_answer`: it could not be carried out, or not in time. */
  faults: Record<Name | 'no_answer', Fault>
  find(context: DoctorContext): Promise<Observation<Name>[]>
}

/** Creates a check; the names of its faults are those of its table. */
export function defineCheck<Name extends string>(check: Check<Name>): Check<Name> {
  return check
}

/** The line of what was found. */
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
