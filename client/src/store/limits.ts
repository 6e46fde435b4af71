/**
 * Maximum that the writes of a wallet may decide, base units of USDC. Example: `{ perCall: 5_000_000n, perDay: 20_000_000n,
 * perTask: 20_000_000n }`.
 */
export interface Limits {
  perCall: bigint
  /** Maximum in 24 hours, over all tasks and processes. */
  perDay: bigint
  /** Maximum over the whole life of a task. */
  perTask: bigint
}

/** Maximum that the writes of a wallet may take of a token, base units of the token. */
export interface TokenLimits {
  perCall: bigint
  /** Maximum in 24 hours. */
  perDay: bigint
}

/** Maximum hours of a task, a year, unless the caller passes `long`. */
export const MOST_TASK_HOURS = 365 * 24

/** Limits of a wallet without limits in its configuration. */
export const defaultLimits: Limits = { perCall: 5_000_000n, perDay: 20_000_000n, perTask: 20_000_000n }

/** Maximum that models may decide in 24 hours without a user, by default: 1 USDC. */
export const defaultAskAbove = 1_000_000n

/**
 * Returns the lower limit of each kind: an argument can lower the limits of the configuration but not raise them.
 * @throws Error for a limit that is no bigint, which comparisons could ignore
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
 * Parses the limits of a configuration: base units as decimal strings; absent ones have their defaults.
 * @throws Error for any other value
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

/**
 * Parses the amount that models may decide without a user.
 * @throws Error
 */
export function readAskAbove(given: unknown): bigint {
  return readAmount('askAbove', given, defaultAskAbove)
}

/**
 * Parses the limits by token: `{"0x...": {"perCall": "5", "perDay": "20"}}`, base units of each token.
 * @throws Error for any other value
 */
export function readTokenLimits(given: unknown): Record<string, TokenLimits> {
  if (given === undefined) return {}
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error('The tokenLimits of the configuration are no object.')
  const read = Object.entries(given as Record<string, unknown>).map(([token, limits]) => {
    const fields = (typeof limits === 'object' && limits !== null ? limits : {}) as Record<string, unknown>
    refuseUnknown(fields, ['perCall', 'perDay'], 'tokenLimits')
    const amountOf = (name: string) => readAmount(`The limit ${name} of ${token}`, fields[name] ?? null, 0n)
    return [readAddress(token), { perCall: amountOf('perCall'), perDay: amountOf('perDay') }] as const
  })
  return Object.fromEntries(read)
}

/**
 * Parses the hooks that tasks may be created with.
 * @throws Error when one is no address
 */
export function readHooks(given: unknown): string[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) throw new Error('The hooks of the configuration are no list.')
  return given.map((hook) => readAddress(String(hook)))
}

function readAddress(text: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase()
  throw new Error(`${JSON.stringify(text)} in the configuration is no address.`)
}

/**
 * Refuses unknown names: a misspelt limit would limit nothing.
 * @throws Error
 */
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
