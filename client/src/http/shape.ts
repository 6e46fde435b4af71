/** The check of one value from an answer. Returns true if the value has the form that the client needs. */
export type Check = (value: unknown) => boolean

/** The expected form of an answer. The form covers only the parts that the client uses. */
export interface Shape {
  /** The name of the form for use in a sentence, such as "a task (id, reward)". */
  what: string
  accepts: Check
}

export const text: Check = (value) => typeof value === 'string'
/** Reports whether the value is a string of decimal digits, such as an amount in base units. */
export const amount: Check = (value) => typeof value === 'string' && /^[0-9]{1,78}$/.test(value)
/** Reports whether the value is a string with a time, such as ISO 8601. */
export const moment: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
export const whole: Check = (value) => Number.isSafeInteger(value)
export const flag: Check = (value) => typeof value === 'boolean'
export const absent: Check = (value) => value === null || value === undefined

/** Returns a check that accepts null and the values that the given check accepts. */
export function nullable(check: Check): Check {
  return (value) => value === null || check(value)
}

/** Returns a check that accepts null, undefined and the values that the given check accepts. */
export function optional(check: Check): Check {
  return (value) => absent(value) || check(value)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns a check of an object's fields. Additional fields are accepted.
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
 * Returns the error sentence for an answer that does not have the expected form.
 * @param url the requested URL
 */
export function foreignAnswer(url: string, value: unknown, { what }: Shape): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : isRecord(value) ? 'an object' : typeof value
  return `${url} answered ${kind} of another form; ${what} is expected.`
}
