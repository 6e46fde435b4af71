/**
 * The maximum amounts in base units of USDC that a wallet's writes may commit or pay out. `perCall` applies to a single
 * write. Example: `{ perCall: 5_000_000n, perDay: 20_000_000n, perTask: 20_000_000n }`.
 */
export interface Limits {
  perCall: bigint
  /** The maximum amount within 24 hours, over all tasks and all processes of the wallet. */
  perDay: bigint
  /** The maximum amount for one task, over the whole life of the task. */
  perTask: bigint
}

/** The maximum amounts of one token that a wallet's writes may take, in base units of the token. */
export interface TokenLimits {
  perCall: bigint
  /** The maximum amount within 24 hours. */
  perDay: bigint
}

/** The maximum time in hours for which a task may stay open: one year. A longer time requires the option `long`. */
export const MOST_TASK_HOURS = 365 * 24

/** The limits of a wallet whose configuration contains no limits: 5 USDC per call, 20 USDC per day and per task. */
export const defaultLimits: Limits = { perCall: 5_000_000n, perDay: 20_000_000n, perTask: 20_000_000n }

/**
 * The default of `askAbove`: 1 USDC in base units. `askAbove` is the maximum amount that a model's writes may commit or
 * pay out in 24 hours without a user's confirmation.
 */
export const defaultAskAbove = 1_000_000n

/**
 * Returns for each limit the lowest value among `configuredLimits` and `otherLimits`. A caller can therefore only lower
 * the configured limits.
 * @throws Error when a limit is not a bigint, because a comparison could then ignore the limit
 */
export function lowerLimits(configuredLimits: Limits, ...otherLimits: (Partial<Limits> | undefined)[]): Limits {
  const lower = (name: keyof Limits) =>
    otherLimits.reduce((leastLimit, limits) => {
      const limit = limits?.[name]
      if (limit !== undefined && typeof limit !== 'bigint')
        throw new Error(`The limit ${name} is no bigint of base units.`)
      return limit !== undefined && limit < leastLimit ? limit : leastLimit
    }, configuredLimits[name])
  return { perCall: lower('perCall'), perDay: lower('perDay'), perTask: lower('perTask') }
}

/**
 * Parses the limits of a wallet's configuration: decimal strings in base units of USDC. An absent limit has its default
 * value.
 * @throws Error for any other value
 */
export function readLimits(limitsField: unknown): Limits {
  if (limitsField === undefined) return defaultLimits
  if (typeof limitsField !== 'object' || limitsField === null || Array.isArray(limitsField))
    throw new Error('The limits of the configuration are no object.')
  const fields = limitsField as Record<string, unknown>
  refuseUnknown(fields, Object.keys(defaultLimits), 'limits')
  const read = (name: keyof Limits) => readAmount(`The limit ${name}`, fields[name], defaultLimits[name])
  return { perCall: read('perCall'), perDay: read('perDay'), perTask: read('perTask') }
}

/**
 * Parses `askAbove`: the maximum amount that a model's writes may commit or pay out in 24 hours without a user's
 * confirmation.
 * @throws Error when the value is not a string of base units
 */
export function readAskAbove(askAboveField: unknown): bigint {
  return readAmount('askAbove', askAboveField, defaultAskAbove)
}

/**
 * Parses the token limits by token address, in base units of the token: `{"0x...": {"perCall": "5", "perDay": "20"}}`.
 * @throws Error for any other value
 */
export function readTokenLimits(tokenLimitsField: unknown): Record<string, TokenLimits> {
  if (tokenLimitsField === undefined) return {}
  if (typeof tokenLimitsField !== 'object' || tokenLimitsField === null || Array.isArray(tokenLimitsField))
    throw new Error('The tokenLimits of the configuration are no object.')
  const limitEntries = Object.entries(tokenLimitsField as Record<string, unknown>).map(([token, limits]) => {
    const fields = (typeof limits === 'object' && limits !== null ? limits : {}) as Record<string, unknown>
    refuseUnknown(fields, ['perCall', 'perDay'], 'tokenLimits')
    const amountOf = (name: string) => readAmount(`The limit ${name} of ${token}`, fields[name] ?? null, 0n)
    return [readAddress(token), { perCall: amountOf('perCall'), perDay: amountOf('perDay') }] as const
  })
  return Object.fromEntries(limitEntries)
}

/**
 * Parses the list of hook contracts that this wallet's tasks may use.
 * @throws Error when the value is not a list of addresses
 */
export function readHooks(hooksField: unknown): string[] {
  if (hooksField === undefined) return []
  if (!Array.isArray(hooksField)) throw new Error('The hooks of the configuration are no list.')
  return hooksField.map((hook) => readAddress(String(hook)))
}

function readAddress(text: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase()
  throw new Error(`${JSON.stringify(text)} in the configuration is no address.`)
}

/**
 * Refuses unknown setting names, because a misspelt limit would have no effect.
 * @throws Error
 */
export function refuseUnknown(fields: object, knownNames: readonly string[], where: string): void {
  const unknownName = Object.keys(fields).find((name) => !knownNames.includes(name))
  if (unknownName === undefined) return
  throw new Error(
    `The ${where} of the configuration have no ${JSON.stringify(unknownName)}; there is ${knownNames.join(', ')}.`,
  )
}

function readAmount(name: string, value: unknown, otherwise: bigint): bigint {
  if (value === undefined) return otherwise
  if (typeof value === 'string' && /^[0-9]{1,30}$/.test(value)) return BigInt(value)
  throw new Error(`${name} of the configuration is no string of base units.`)
}
