import { z } from 'zod'
import { parseSignerUrl, signerForms } from './signer-urls.ts'

/** The log levels, from the fewest log lines to the most. `silent` writes no lines. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The maximum number of Ethereum nodes that a process uses. */
const MOST_NODES = 8
/** The maximum number of database replicas that the service uses. */
const MOST_REPLICAS = 8
/** The error message for an empty list. */
const NONE = 'must name one at least'
/** The order of the curve secp256k1. A valid private key is smaller than this number. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The maximum number of curator accounts. The service compares an invalid signature with each of them. */
const MOST_CURATORS = 10

const postgresProtocol = /^postgres(ql)?$/
const httpProtocol = /^https?$/

export const postgresUrl = z.url({ protocol: postgresProtocol, error: 'must be a postgres URL' })
/** A Postgres URL without a required host: `postgres:///market` uses the socket that PGHOST names. */
export const postgresUrlOrSocket = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres URL')
export const postgresUrls = listOf(
  z.url({ protocol: postgresProtocol, error: 'must be postgres URLs, comma separated' }),
).pipe(z.array(z.string()).min(1, NONE).max(MOST_REPLICAS, `must be ${MOST_REPLICAS} replicas at most`))
export const httpUrl = z.url({ protocol: httpProtocol, error: 'must be an http or https URL' })
/**
 * A URL whose trailing slashes are removed, so that paths can be appended. It must not contain a password, because
 * clients may read it.
 */
export const baseUrl = httpUrl
  .refine((text) => !URL.canParse(text) || hasPathAlone(new URL(text)), {
    error: 'must be a URL without password, query and fragment',
  })
  .transform((url) => url.replace(/\/+$/, ''))
export const socketUrl = z.url({ protocol: /^wss?$/, error: 'must be a ws or wss URL' })
const httpUrls = listOf(z.url({ protocol: httpProtocol, error: 'must be http or https URLs, comma separated' }))
/** The URLs of the Ethereum nodes, in order of preference. */
export const nodeUrls = httpUrls.pipe(
  z
    .array(z.string())
    .min(1, NONE)
    .max(MOST_NODES, `must be ${MOST_NODES} nodes at most`)
    .refine((urls) => new Set(urls).size === urls.length, { error: 'must name each node once' }),
)
export const origins = httpUrls
/** The IP addresses or CIDR ranges of trusted proxies. */
export const proxies = listOf(
  z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be IP addresses or CIDR ranges' }),
)
export const accounts = listOf(
  z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)], { error: 'must be addresses' })),
).refine((curators) => curators.length <= MOST_CURATORS, { error: `must be ${MOST_CURATORS} addresses at most` })
export const privateKeys = listOf(
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x-prefixed private keys of 32 bytes, comma separated')
    .refine((key) => BigInt(key) > 0n && BigInt(key) < CURVE_ORDER, {
      error: 'must be keys of secp256k1',
      abort: true,
    }),
)
  .refine((keys) => keys.length > 0, { error: NONE })
  .refine((keys) => new Set(keys.map((key) => key.toLowerCase())).size === keys.length, {
    error: 'must name each key once',
  })
/** The entries of RELAYER_SIGNERS. Error messages do not quote an entry, because its URL may contain a password. */
export const signerUrls = listOf(
  z.string().transform((entry, context) => {
    const place = parseSignerUrl(entry)
    if (place !== null) return place
    context.addIssue({
      code: 'custom',
      message: `must be signers, comma separated, each of one form of ${signerForms}`,
    })
    return z.NEVER
  }),
).refine((places) => places.length > 0, { error: NONE })
export const text = z.string()
export const port = integer(0, 65_535)
/** HTTP headers for OpenTelemetry: comma-separated pairs `name=value`, percent-encoded. */
export const otlpHeaders = listOf(z.string().regex(/^[^=]+=.*$/, 'must be name=value, comma separated')).transform(
  (pairs, context) => {
    try {
      return Object.fromEntries(
        pairs.map((pair) => {
          const at = pair.indexOf('=')
          return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
        }),
      )
    } catch {
      context.addIssue({ code: 'custom', message: 'must be percent-encoded: %25 is a percent sign' })
      return z.NEVER
    }
  },
)
/** A Standard Webhooks secret: `whsec_` and 24 to 64 bytes in base64. */
export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes as base64')
export const onOrOff = z.stringbool({ error: 'must be on or off' })

/** A secret that has at least 32 characters. */
export const secret = z.string().min(32, 'must have at least 32 characters')
export const secrets = listOf(z.string().min(32, 'every secret must have at least 32 characters'))

/** Returns a schema that parses a number between two bounds, both included. */
export function number(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`
  return z.string().regex(/\S/, { error, abort: true }).pipe(z.coerce.number<string>({ error }).min(least).max(most))
}

/** Returns a schema that parses a whole number between two bounds, both included. */
export function integer(least: number, most: number) {
  return number(least, most).pipe(z.int({ error: `must be a whole number from ${least} to ${most}` }))
}

/** Returns a schema that parses a comma-separated list. Empty entries are ignored. */
function listOf<Entry extends z.ZodType<unknown, string>>(entry: Entry) {
  return z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    )
    .pipe(z.array(entry))
}

function hasPathAlone({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === ''
}
