/** Reports whether a value of an answer has the form that the client uses. */
export type Check = (value: unknown) => boolean

/** The parts of an answer that the client uses, with a check. */
export interface Shape {
  /** Name in a sentence, such as "a task (id, reward)". */
  what: string
  accepts: Check
}

export const text: Check = (value) => typeof value === 'string'
/** Checks a whole number as decimal digits, such as base units. */
export const amount: Check = (value) => typeof value === 'string' && /^[0-9]{1,78}$/.test(value)
/** Checks an ISO 8601 time. */
export const moment: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
export const whole: Check = (value) => Number.isSafeInteger(value)
export const flag: Check = (value) => typeof value === 'boolean'
export const absent: Check = (value) => value === null || value === undefined

/** Accepts null as well. */
export function nullable(check: Check): Check {
  return (value) => value === null || check(value)
}

/** Accepts null and an absent value as well. */
export function optional(check: Check): Check {
  return (value) => absent(value) || check(value)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Checks the fields of an object.
 * @example record({ id: text, reward: amount, tags: list(text) })
 */
export function record(fields: Record<string, Check> = {}): Check {
  return (value) => isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]))
}

export function list(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

export function either(...checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value))
}

/**
 * Returns the sentence for an answer that is not the service's.
 * @param url as requested
 */
export function foreignAnswer(url: string, value: unknown, { what }: Shape): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : isRecord(value) ? 'an object' : typeof value
  return `${url} answered ${kind} of another form; ${what} is expected.`
}
