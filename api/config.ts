import { join } from 'node:path'
import { z } from 'zod'
import { type Constants, constantsOf } from './constants.ts'
import { nodeUrls } from './nodes/node-urls.ts'

const hexKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be a 0x-prefixed 32-byte private key')

/** Levels of the log, from the fewest lines on; `silent`: none. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Addresses or CIDR ranges, comma separated. */
export const trustedProxies = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .pipe(
    z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: 'must be IP addresses or CIDR ranges' })),
  )

/** How many accounts may curate: a wrong signature is compared with each. */
const MOST_CURATORS = 10

/** Addresses, comma separated. */
const addresses = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== ''),
  )
  .pipe(z.array(z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)], { error: 'must be addresses' })))

/** Of numbers and texts of them, so that amounts of wei fit. */
const replacements = z
  .strictObject(
    Object.fromEntries(
      Object.entries(constantsOf(1)).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? z.coerce.bigint().min(0n) : z.coerce.number().min(0),
      ]),
    ),
  )
  .partial()
  .transform((values) => values as Partial<Constants>)

/** Every setting, with one row each in docs/operations.md, "Settings". */
export const settings = z.object({
  /** Postgres with the schemas `service` and `market`. */
  DATABASE_URL: z.string().min(1),
  /**
   * The same Postgres, or a replica of it, on the login that only reads `market` (docs/operations.md, "Database
   * logins"). Without it analysts' SQL answers 503.
   */
  READER_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres URL' }).optional(),
  /**
   * Streaming replicas on the service's own login, comma separated: lists and details of tasks are read there
   * (docs/operations.md, "Replicas"). One URL is one server.
   */
  READ_DATABASE_URLS: z
    .string()
    .transform((urls) => urls.split(',').map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^postgres(ql)?$/, error: 'must be postgres URLs, comma separated' })).max(8))
    .optional(),
  /**
   * One node of the chain or several, JSON-RPC over HTTP, comma separated, in the order of preference (docs/operations.md,
   * "Several nodes").
   */
  RPC_URL: nodeUrls,
  /** JSON file with the contract addresses. */
  DEPLOYMENT_FILE: z.string().default('deployments/8453.json'),
  /** Where the service listens. */
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** Where clients reach this service, without a trailing slash; used in links. */
  PUBLIC_BASE_URL: z.url().default('http://127.0.0.1:3000'),
  /**
   * Another name under which clients reach `/api/artifacts/` of this service: an origin of its own for foreign files.
   */
  ARTIFACT_BASE_URL: z.url().optional(),
  /** The explorer of the chain, for links of the pages: `https://basescan.org`. Without it hashes have no links. */
  EXPLORER_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** A public node, for wallets of browsers that do not have the chain yet. */
  PUBLIC_RPC_URL: z.url({ protocol: /^https?$/ }).default('https://mainnet.base.org'),
  /** Keys that pay the gas of relayed writes, comma separated; one nonce sequence each. */
  RELAYER_KEYS: z
    .string()
    .transform((keys) => keys.split(',').map((key) => key.trim()))
    .pipe(z.array(hexKey).min(1)),
  /** Where files are kept: `local`, a folder of this machine, or `s3`, a bucket (docs/deliverables.md, "Storage"). */
  STORAGE: z.enum(['local', 's3'], { error: 'must be local or s3' }).default('local'),
  /** Folder of uploaded files; all processes on one database need the same one. */
  ARTIFACT_DIR: z.string().default('.local/artifacts'),
  /** The S3-compatible service, where this process and clients reach it alike; these are needed with STORAGE=s3. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  S3_REGION: z.string().min(1).optional(),
  /** A private bucket; all processes on one database need the same one. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-zA-Z0-9][\w.-]{1,254}$/, 'must be the name of a bucket')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Put before the keys of all objects, so that the bucket can be shared: `market/`. */
  S3_PREFIX: z
    .string()
    .regex(/^(?:[\w-][\w.-]*\/)*$/, 'must be words that each end with a slash')
    .default(''),
  /** Secret of signed artifact URLs and of task access grants, at least 32 characters. */
  URL_SIGNING_SECRET: z.string().min(32),
  /**
   * Secrets that devices' encryption keys are sealed with, comma separated, each at least 32 characters: the first
   * seals, all of them open, so a new one goes in front. Without any, URL_SIGNING_SECRET seals.
   */
  DEVICE_KEY_SECRET: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((secret) => secret.trim())
        .filter((secret) => secret !== ''),
    )
    .pipe(z.array(z.string().min(32, { error: 'every secret must have at least 32 characters' }))),
  /** First word of signed messages and `X-<Service>-` headers; the contracts are deployed with it. */
  SERVICE_NAME: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,30}$/)
    .default('service'),
  /** Shown by /api/health with COMMIT_SHA. In `local` a draft of the policies can be accepted. */
  ENVIRONMENT: z.string().default('local'),
  COMMIT_SHA: z.string().optional(),
  /** Least level that is written. */
  LOG_LEVEL: z.enum(logLevels).default('info'),
  /** How often the chain head is asked for, milliseconds. */
  POLLING_INTERVAL_MS: z.coerce.number().int().min(20).max(10_000).default(500),
  /** How long a relayed write may take to answer before 409 `intent_in_flight`, milliseconds. */
  WRITE_ANSWER_MS: z.coerce.number().int().min(100).max(60_000).default(55_000),
  /** Multiplies the rates of clients and the bytes that they may store, never what guards a secret or costs money. */
  QUOTAS: z.coerce.number().min(0.1).max(1_000).default(1),
  /** Proxies whose `X-Forwarded-For` counts: addresses or CIDR ranges, comma separated. */
  TRUSTED_PROXIES: trustedProxies,
  /** Folder that `npm run export` writes to: `GET /api/exports` lists its files, and the service serves them. */
  EXPORTS_DIR: z.string().min(1).optional(),
  /** Public address of a bucket with its prefix that `npm run export` writes to; EXPORTS_DIR is not listed then. */
  EXPORTS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Accounts whose signed decisions approve and reject vaults (docs/vaults.md, "Curation"), comma separated. */
  CURATORS: addresses.refine((curators) => curators.length <= MOST_CURATORS, {
    error: `must be ${MOST_CURATORS} addresses at most`,
  }),
  /** Folder of the four policies and their `bundle.json` (docs/legal.md). */
  LEGAL_DIRECTORY: z.string().min(1).default('policies'),
  /** Whether protected writes need a receipt of the current policies: `on` or `off`. */
  LEGAL_ENFORCEMENT: z.stringbool({ error: 'must be on or off' }).default(false),
  /** A listener for `/metrics` alone; without it `/metrics` is on PORT, for clients of this machine only. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** How long a process that was asked to end still takes requests while `/ready` says 503, milliseconds. */
  SHUTDOWN_DRAIN_MS: z.coerce.number().int().min(0).max(600_000).default(200),
  /** JSON that replaces constants of api/constants.ts, on a local chain only: `{"READS_PER_MINUTE": 60000}`. */
  LOCAL_CONSTANTS: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.issues.push({ code: 'custom', message: 'must be JSON', input: text })
        return z.NEVER
      }
    })
    .pipe(replacements)
    .optional(),
  /** On a local chain only: a point at which the process kills itself, or with `:stop` freezes (api/failpoint.ts). */
  FAILPOINT: z.string().optional(),
})

export type Config = Omit<z.infer<typeof settings>, 'RPC_URL' | 'LOCAL_CONSTANTS'> &
  Constants & {
    RPC_URLS: string[]
    /** Folder of files that arrive inside JSON, each until its request is answered; on the disk of the files. */
    SPOOL_DIR: string
    /** Settings that no chain with money may have: which of them are set. */
    localSettings: string[]
  }

const neededForS3 = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/**
 * Reads the service's settings. The only place the service reads its environment.
 * @throws Error listing every problem at once, by variable.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = settings.safeParse(env)
  const missing = env.STORAGE === 's3' ? neededForS3.filter((name) => env[name] === undefined) : []
  if (!parsed.success || missing.length > 0) {
    const problems = [
      ...(parsed.error?.issues ?? []).map((issue) => `  ${issue.path.join('.')}: ${issue.message}`),
      ...missing.map((name) => `  ${name}: is needed with STORAGE=s3`),
    ]
    throw new Error(`The service cannot start with these settings:\n${problems.join('\n')}`)
  }
  const { RPC_URL, LOCAL_CONSTANTS, ...set } = parsed.data
  return {
    ...constantsOf(set.QUOTAS),
    ...LOCAL_CONSTANTS,
    ...set,
    RPC_URLS: RPC_URL,
    SPOOL_DIR: join(set.ARTIFACT_DIR, 'spool'),
    localSettings: (['LOCAL_CONSTANTS', 'FAILPOINT'] as const).filter((name) => parsed.data[name] !== undefined),
  }
}
