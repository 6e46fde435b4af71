import { join } from 'node:path'
import { z } from 'zod'
import { nodeUrl, nodeUrls } from './nodes/node-urls.ts'

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

const variables = z.object({
  /** Postgres with the schemas `service` and MARKET_SCHEMA. */
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
  /** A node of the chain: JSON-RPC over HTTP. Not needed with RPC_URLS. */
  RPC_URL: nodeUrl.optional(),
  /**
   * Several nodes of the chain, comma separated, in the order of preference; RPC_URL is not read then (docs/operations.md,
   * "Several nodes").
   */
  RPC_URLS: nodeUrls.optional(),
  /** JSON file with the contract addresses. */
  DEPLOYMENT_FILE: z.string().default('contracts/deployments/8453.json'),
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
  /** Bytes of ARTIFACT_DIR's disk that files leave free, for logs and whatever else is on it. */
  STORAGE_RESERVE_BYTES: z.coerce.number().int().min(0).default(268_435_456),
  /** An upload that waits so long for its next 64 KiB is ended, milliseconds. */
  UPLOAD_STALL_MS: z.coerce.number().int().min(20).max(600_000).default(30_000),
  /** How long an upload may take in all, milliseconds. */
  UPLOAD_LIMIT_MS: z.coerce.number().int().min(20).max(14_400_000).default(3_600_000),
  /** How long files are kept that no write needs (never submitted, or of a write that failed), seconds. */
  FILE_RETENTION_SECONDS: z.coerce.number().int().min(7_200).default(86_400),
  /** How often they are looked for, milliseconds. */
  FILE_SWEEP_MS: z.coerce.number().int().min(20).default(60_000),
  /**
   * Folder of files that arrive inside JSON, each until its request is answered; as a rule ARTIFACT_DIR/spool. It must
   * be on a disk: what is kept in memory counts against the process.
   */
  SPOOL_DIR: z.string().optional(),
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
  /** Schema of the indexer's views. */
  MARKET_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,44}$/)
    .default('market'),
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
  /** Submissions of one worker to one task: how many are free, and how many there can be at all. */
  FREE_SUBMISSIONS: z.coerce.number().int().min(1).default(5),
  SUBMISSION_CEILING: z.coerce.number().int().min(1).default(100),
  /** How long an upload URL takes bytes, seconds. */
  UPLOAD_URL_SECONDS: z.coerce.number().int().min(1).max(43_200).default(3_600),
  /** Uploads of one worker from one client IP that are open at a time. Of the IP alone, five times that. */
  UPLOADS_OPEN: z.coerce.number().int().min(1).default(20),
  /** Bytes that a worker may store a day; the other accounts of bytes are multiples of it (byte-accounts.ts). */
  WORKER_BYTES_PER_DAY: z.coerce
    .number()
    .int()
    .min(1)
    .default(2 * 1024 ** 3),
  /**
   * How long a submission may spend on reading its uploads before it is told to come again, milliseconds: the rest of
   * WRITE_ANSWER_MS is the chain's. What was read stays known.
   */
  UPLOAD_READ_MS: z.coerce.number().int().min(100).max(60_000).default(27_000),
  /** How often the chain head is asked for, milliseconds. */
  POLLING_INTERVAL_MS: z.coerce.number().int().min(20).max(10_000).default(500),
  /** How long a relayed write may take to answer before 409 `intent_in_flight`, milliseconds. */
  WRITE_ANSWER_MS: z.coerce.number().int().min(100).max(60_000).default(55_000),
  /** A relayed transaction without a receipt is sent again after this long, milliseconds. */
  RESEND_AFTER_MS: z.coerce.number().int().min(100).default(4_000),
  /** One that its nonce sequence waits for is replaced with higher fees after this long, milliseconds. */
  REPLACE_AFTER_MS: z.coerce.number().int().min(200).default(20_000),
  /** A call estimated above this is refused with the advice to send it directly, gas. */
  MAX_RELAY_GAS: z.coerce.number().int().min(100_000).max(30_000_000).default(10_000_000),
  /**
   * Gas of a call that runs code of other accounts (contract wallets, hooks of the requester's own), and what all such
   * calls of a day may cost, wei. An account whose code it is and that has paid platform fees may draw on them instead,
   * by so much wei for each USDC of fees.
   */
  FOREIGN_GAS: z.coerce.number().int().min(100_000).max(30_000_000).default(600_000),
  FOREIGN_WEI_PER_DAY: z.coerce
    .bigint()
    .min(0n)
    .default(10n ** 16n),
  FOREIGN_WEI_PER_FEE_USDC: z.coerce
    .bigint()
    .min(0n)
    .default(3n * 10n ** 13n),
  /**
   * What one USDC is worth in wei (the default: ether at 4,000 USDC). A refund to a contract, or one that has reverted
   * before, is made by itself only while its gas is worth less than what it gives back.
   */
  WEI_PER_USDC: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).default(250_000_000_000_000),
  /** How long an unpaid reservation holds its key, seconds. */
  RESERVATION_SECONDS: z.coerce.number().int().min(1).default(900),
  /** Proxies whose `X-Forwarded-For` counts: addresses or CIDR ranges, comma separated. */
  TRUSTED_PROXIES: trustedProxies,
  /** What one client IP may do: any reads, writes that carry no valid payment, anonymous intent reads, free relays. */
  READS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  WRITES_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  INTENT_READS_PER_MINUTE: z.coerce.number().int().min(1).default(120),
  FREE_RELAYS_PER_DAY: z.coerce.number().int().min(1).default(200),
  /**
   * Gas of free relays in a day, of all clients together: exits (verdicts, credits, withdrawals, claims of rewards),
   * entries of wallets that have paid for a write or earned an award, entries of others. One client has `FREE_GAS_CLIENT_PERCENT` of each.
   */
  FREE_GAS_CLIENT_PERCENT: z.coerce.number().int().min(1).max(100).default(5),
  FREE_EXIT_GAS_PER_DAY: z.coerce.number().int().min(1).max(2_000_000_000).default(1_000_000_000),
  FREE_ENTRY_GAS_PER_DAY: z.coerce.number().int().min(1).max(2_000_000_000).default(1_000_000_000),
  FREE_NEWCOMER_GAS_PER_DAY: z.coerce.number().int().min(1).max(2_000_000_000).default(400_000_000),
  /** Paid writes of one client IP that may revert on chain: nothing is charged for them, and they cost gas. */
  REVERTED_WRITES_PER_HOUR: z.coerce.number().int().min(1).default(60),
  /** Analysts' queries of one client IP, in each process. */
  SQL_PER_MINUTE: z.coerce.number().int().min(1).default(30),
  /** How long one of them may take; the reader's login has the same bound, so it is never more. */
  SQL_QUERY_MS: z.coerce.number().int().min(500).max(8_000).default(8_000),
  /** Folder that `npm run export` writes to: `GET /api/exports` lists its files, and the service serves them. */
  EXPORTS_DIR: z.string().min(1).optional(),
  /** Public address of a bucket with its prefix that `npm run export` writes to; EXPORTS_DIR is not listed then. */
  EXPORTS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** Passwords of private tasks: how many one client IP may try, and how many all may try on one task id. */
  ACCESS_TRIES_PER_HOUR: z.coerce.number().int().min(1).default(20),
  TASK_ACCESS_TRIES_PER_HOUR: z.coerce.number().int().min(1).default(10),
  /** How many devices one client IP may register, and how many wrong read identities of it are looked at. */
  DEVICES_PER_HOUR: z.coerce.number().int().min(1).default(10),
  WRONG_IDENTITIES_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  /** Identities that the service mints in a day: for one client IP, for all, and more for wallets that use the market. */
  MINTS_PER_CLIENT_PER_DAY: z.coerce.number().int().min(1).default(5),
  MINTS_PER_DAY: z.coerce.number().int().min(1).default(200),
  RESERVED_MINTS_PER_DAY: z.coerce.number().int().min(1).default(50),
  /** How long the registration of a device waits for its wallet's agent id, milliseconds. */
  MINT_ANSWER_MS: z.coerce.number().int().min(1).default(5_000),
  /** Accounts whose signed decisions approve and reject vaults (docs/vaults.md, "Curation"), comma separated. */
  CURATORS: addresses.refine((curators) => curators.length <= MOST_CURATORS, {
    error: `must be ${MOST_CURATORS} addresses at most`,
  }),
  /** Pause between cycles of the keeper, which opens the claims of credited vault rewards, milliseconds. */
  KEEPER_INTERVAL_MS: z.coerce.number().int().min(50).max(3_600_000).default(30_000),
  /** Calls that the keeper makes for vaults which no curator has approved, in 24 hours; for all of them together. */
  UNAPPROVED_SETTLEMENTS_PER_DAY: z.coerce.number().int().min(0).default(50),
  /** Switches of wallets' consent (docs/security.md) of one client IP. */
  CONSENTS_PER_HOUR: z.coerce.number().int().min(1).default(30),
  /** Requests of one client IP that set or change a withdrawal address, or reveal a recovery code. */
  WITHDRAWAL_ADDRESSES_PER_HOUR: z.coerce.number().int().min(1).default(30),
  /** Wrong recovery codes: for one wallet (twice: by its own read identity, and by all others), and for all wallets. */
  RECOVERY_TRIES_PER_DAY: z.coerce.number().int().min(1).default(5),
  ALL_RECOVERY_TRIES_PER_DAY: z.coerce.number().int().min(1).default(200),
  /** Folder of the four policies and their `bundle.json` (docs/legal.md). */
  LEGAL_DIRECTORY: z.string().min(1).default('policies'),
  /** Whether protected writes need a receipt of the current policies: `on` or `off`. */
  LEGAL_ENFORCEMENT: z.stringbool({ error: 'must be on or off' }).default(false),
  /** A statement that takes longer is ended by the database, milliseconds; migrations are not bounded. */
  STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(15_000),
  /** A request that still has no answer gets one that says so, milliseconds; longer than a slow body takes. */
  ANSWER_LIMIT_MS: z.coerce.number().int().min(100).max(600_000).default(130_000),
  /** A listener for `/metrics` alone; without it `/metrics` is on PORT, for clients of this machine only. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** How far the read model may be behind the chain head before this process is not ready, seconds of block time. */
  READY_LAG_SECONDS: z.coerce.number().int().min(1).default(60),
  /** How long a process that was asked to end still takes requests while `/ready` says 503, milliseconds. */
  SHUTDOWN_DRAIN_MS: z.coerce.number().int().min(0).max(600_000).default(200),
  /** How long the end may take after that before the process leaves in any case, milliseconds. */
  SHUTDOWN_MS: z.coerce.number().int().min(500).max(600_000).default(9_000),
  /** Test builds only: a point at which the process kills itself, or with `:stop` freezes (api/writes/failpoint.ts). */
  FAILPOINT: z.string().optional(),
})

/** With the defaults that depend on other settings, and what some of them must be beside others. */
const environment = variables.superRefine(refuseEarlySweep).transform(({ RPC_URL, ...set }) => ({
  ...set,
  RPC_URLS: set.RPC_URLS ?? (RPC_URL === undefined ? [] : [RPC_URL]),
  SPOOL_DIR: set.SPOOL_DIR ?? join(set.ARTIFACT_DIR, 'spool'),
}))

export type Config = z.infer<typeof environment>

type Variables = z.infer<typeof variables>

/** No client may still be able to upload when its upload is deleted. */
function refuseEarlySweep(set: Variables, context: z.RefinementCtx<Variables>): void {
  const { FILE_RETENTION_SECONDS, UPLOAD_URL_SECONDS, UPLOAD_LIMIT_MS } = set
  if (FILE_RETENTION_SECONDS > UPLOAD_URL_SECONDS + UPLOAD_LIMIT_MS / 1000) return
  const message = 'must be longer than UPLOAD_URL_SECONDS and UPLOAD_LIMIT_MS together'
  context.addIssue({ code: 'custom', path: ['FILE_RETENTION_SECONDS'], message })
}

const neededForS3 = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/**
 * Reads the service's settings. The only place the service reads its environment.
 * @throws Error listing every problem at once, by variable.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const parsed = environment.safeParse(env)
  const missing = env.STORAGE === 's3' ? neededForS3.filter((name) => env[name] === undefined) : []
  const isWithoutNode = env.RPC_URL === undefined && env.RPC_URLS === undefined
  if (parsed.success && missing.length === 0 && !isWithoutNode) return parsed.data
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `  ${issue.path.join('.')}: ${issue.message}`),
    ...missing.map((name) => `  ${name}: is needed with STORAGE=s3`),
    ...(isWithoutNode ? ['  RPC_URL: is needed, or RPC_URLS'] : []),
  ]
  throw new Error(`The service cannot start with these settings:\n${problems.join('\n')}`)
}
