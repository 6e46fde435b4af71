/** What the writes of a wallet may decide, base units of USDC. */
export interface Limits {
  perCall: bigint
  /** In 24 hours, over all tasks and processes. */
  perDay: bigint
  /** For ever. */
  perTask: bigint
}

/** Without limits in the wallet's configuration. */
export const defaultLimits: Limits = { perCall: 5_000_000n, perDay: 20_000_000n, perTask: 20_000_000n }

/** What models may decide in 24 hours without a person, unless the configuration has another amount: 1 USDC. */
export const defaultAskAbove = 1_000_000n

/**
 * The lower one of each: an argument can lower the limits of the configuration and never raise them.
 * @throws Error for one that is no bigint: a comparison could pass over it
 */
export function lowerLimits(configured: Limits, ...given: (Partial<Limits> | undefined)[]): Limits {
  const lower = (name: keyof Limits) =>
    given.reduce((least, limits) => {
      const limit = limits?.[name]
      if (limit !== undefined && typeof limit !== 'bigint')
        throw new Error(`The limit ${name} is no bigint of base units.`)
      return limit !== undefined && limit < least ? limit : least
    }, configured[name])
  return { perCall: lower('perCall'), perDay: lower('perDay'), perTask: lower('perTask') }
}

/**
 * Reads the limits of a configuration: base units as decimal strings, each absent one as by default.
 * @throws Error when one is anything else
 */
export function readLimits(given: unknown): Limits {
  if (given === undefined) return defaultLimits
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('The limits of the configuration are no object.')
  const fields = given as Record<string, unknown>
  refuseUnknown(fields, Object.keys(defaultLimits), 'limits')
  const read = (name: keyof Limits) => readAmount(`The limit ${name}`, fields[name], defaultLimits[name])
  return { perCall: read('perCall'), perDay: read('perDay'), perTask: read('perTask') }
}

/** Reads what models may decide without a person. @throws Error */
export function readAskAbove(given: unknown): bigint {
  return readAmount('askAbove', given, defaultAskAbove)
}

/** A limit under a wrong name would be none. @throws Error */
export function refuseUnknown(fields: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new Error(`The ${where} of the configuration have no ${JSON.stringify(unknown)}; there is ${known.join(', ')}.`)
}

function readAmount(name: string, value: unknown, otherwise: bigint): bigint {
  if (value === undefined) return otherwise
  if (typeof value === 'string' && /^[0-9]{1,30}$/.test(value)) return BigInt(value)
  throw new Error(`${name} of the configuration is no string of base units.`)
}
