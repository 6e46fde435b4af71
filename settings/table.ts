import { z } from 'zod'
import {
  accounts,
  baseUrl,
  httpUrl,
  integer,
  logLevels,
  nodeUrls,
  number,
  onOrOff,
  origins,
  otlpHeaders,
  port,
  postgresUrl,
  postgresUrlOrSocket,
  postgresUrls,
  privateKeys,
  proxies,
  secret,
  secrets,
  signerUrls,
  socketUrl,
  text,
  webhookSecret,
} from './values.ts'

/** The programs that operators run, each with `npm run <program>`. */
export const programs = ['api', 'indexer', 'graphql', 'export', 'standby-keeper', 'web', 'relayer'] as const

export type Program = (typeof programs)[number]

/** An environment variable. All programs parse it in the same way, so they can share one settings file. */
export interface Setting {
  /** Parses the text of the variable. */
  schema: z.ZodType<unknown, string>
  /** The text that is used if the variable is absent or empty. */
  default?: string
  readBy: readonly Program[]
  /** The programs that cannot start without the variable. */
  neededBy?: readonly Program[]
  /** The description of the variable: the rest of a sentence that begins with the variable's name. */
  meaning: string
  unit?: string
  /**
   * True if a holder of the value can act as the operator. In that case, the variable `<name>_FILE` may name a file
   * that contains the value.
   */
  isSecret?: true
}

/**
 * All settings of all programs, by name. `docs/operate/settings.md` and `.env.example` are generated from this table.
 */
export const table = {
  DATABASE_URL: {
    schema: postgresUrl,
    readBy: ['api', 'indexer', 'relayer'],
    neededBy: ['api', 'indexer', 'relayer'],
    isSecret: true,
    meaning: 'PostgreSQL with the schemas `service` and `market`, with the login of the program',
  },
  READER_DATABASE_URL: {
    schema: postgresUrl,
    readBy: ['api', 'graphql'],
    neededBy: ['graphql'],
    isSecret: true,
    meaning:
      'standby for analysts, or the same server, with the login `market_reader`; without it `POST /api/sql` answers 503',
  },
  READ_DATABASE_URLS: {
    schema: postgresUrls,
    readBy: ['api'],
    isSecret: true,
    meaning: 'up to eight streaming replicas, comma separated, that answer reads of lists and details of tasks',
  },
  EXPORTER_DATABASE_URL: {
    schema: postgresUrl,
    readBy: ['export'],
    neededBy: ['export'],
    isSecret: true,
    meaning: 'standby for analysts, with the login `market_exporter`',
  },
  STANDBY_DATABASE_URL: {
    schema: postgresUrlOrSocket,
    readBy: ['standby-keeper'],
    neededBy: ['standby-keeper'],
    isSecret: true,
    meaning: 'a database of the standby; `postgres:///market` with PGHOST is its socket',
  },
  STANDBY_DATA_DIRECTORY: {
    schema: text,
    readBy: ['standby-keeper'],
    meaning: 'data directory of the standby; without it none of its processes can be killed',
  },
  STANDBY_METRICS_PORT: {
    schema: port,
    readBy: ['standby-keeper'],
    meaning: 'port of a listener for the `/metrics` of the keeper; without it the keeper has no metrics',
  },
  MARKET_SCHEMA: {
    schema: z.string().regex(/^[a-z_][a-z0-9_]{0,44}$/, 'must be a lower-case name of a schema'),
    default: 'market',
    readBy: ['graphql'],
    meaning: 'schema of the views of the indexer',
  },
  RPC_URL: {
    schema: nodeUrls,
    readBy: ['api', 'indexer', 'export', 'relayer'],
    neededBy: ['api', 'indexer', 'export', 'relayer'],
    isSecret: true,
    meaning: 'up to eight nodes, JSON-RPC over HTTP, comma separated, in the order of preference',
  },
  RPC_SOCKET_URL: {
    schema: socketUrl,
    readBy: ['indexer'],
    isSecret: true,
    meaning: 'WebSocket of the only node, which announces new heads; without it heads are polled',
  },
  DEPLOYMENT_FILE: {
    schema: text,
    default: 'deployments/8453.json',
    readBy: ['api', 'indexer', 'graphql', 'web', 'relayer'],
    meaning: 'the deployment: chain, USDC, contracts (`deployments/README.md`)',
  },
  SERVICE_NAME: {
    schema: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/, 'must be 2 to 31 lower-case letters, digits and dashes'),
    default: 'service',
    readBy: ['api', 'web'],
    meaning: 'first word of signed messages and of `X-<Service>-` headers; the contracts are deployed with it',
  },
  RELAYER_KEYS: {
    schema: privateKeys,
    readBy: ['api', 'relayer'],
    isSecret: true,
    meaning:
      'private keys that pay the gas of relayed writes, comma separated; one nonce sequence each. The service requires these or RELAYER_SIGNERS',
  },
  RELAYER_SIGNERS: {
    schema: signerUrls,
    readBy: ['api', 'relayer'],
    isSecret: true,
    meaning:
      'signers that hold such keys, comma separated: a keystore, AWS KMS, Google KMS, web3signer (`docs/operate/keys.md`)',
  },
  PORT: { schema: port, default: '3000', readBy: ['api'], meaning: 'port of the service' },
  HOST: { schema: text, default: '127.0.0.1', readBy: ['api'], meaning: 'address that the service listens at' },
  PUBLIC_BASE_URL: {
    schema: baseUrl,
    default: 'http://127.0.0.1:3000',
    readBy: ['api'],
    meaning: 'public address of the service, used in links',
  },
  ARTIFACT_BASE_URL: {
    schema: baseUrl,
    readBy: ['api'],
    meaning: 'another address of the service, for `/api/artifacts/`: a separate origin for untrusted files',
  },
  TRUSTED_PROXIES: {
    schema: proxies,
    default: '',
    readBy: ['api', 'graphql'],
    meaning: 'addresses or CIDR ranges of proxies whose `X-Forwarded-For` counts, comma separated',
  },
  EXPLORER_URL: {
    schema: baseUrl,
    readBy: ['api', 'web'],
    meaning: 'block explorer, for links of the pages; without it hashes have no links',
  },
  PUBLIC_RPC_URL: {
    schema: httpUrl,
    default: 'https://mainnet.base.org',
    readBy: ['api', 'web'],
    meaning: 'a public node, for wallets of browsers that do not have the chain yet',
  },
  STORAGE: {
    schema: z.enum(['local', 's3'], { error: 'must be local or s3' }),
    default: 'local',
    readBy: ['api'],
    meaning: '`local`, a folder of this machine, or `s3`, a bucket (`docs/operate/storage.md`)',
  },
  ARTIFACT_DIR: {
    schema: text,
    default: '.local/artifacts',
    readBy: ['api'],
    meaning: 'folder of files, the same for all processes; bodies in progress are stored in it with `s3` too',
  },
  S3_ENDPOINT: {
    schema: httpUrl,
    readBy: ['api', 'export'],
    meaning: 'S3-compatible service, at an address that processes and clients can both reach',
  },
  S3_REGION: { schema: text, readBy: ['api', 'export'], meaning: 'region of the S3 service' },
  S3_BUCKET: {
    schema: z.string().regex(/^[a-zA-Z0-9][\w.-]{1,254}$/, 'must be the name of a bucket'),
    readBy: ['api'],
    meaning: 'a private bucket, the same for all processes',
  },
  S3_ACCESS_KEY_ID: {
    schema: text,
    readBy: ['api', 'export'],
    isSecret: true,
    meaning: 'access key of the S3 service',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: text,
    readBy: ['api', 'export'],
    isSecret: true,
    meaning: 'secret of the access key',
  },
  S3_PREFIX: {
    schema: z.string().regex(/^(?:[\w-][\w.-]*\/)*$/, 'must be words that each end with a slash'),
    default: '',
    readBy: ['api'],
    meaning: 'prefix of the names of all objects, such as `market/`',
  },
  URL_SIGNING_SECRET: {
    schema: secret,
    readBy: ['api'],
    neededBy: ['api'],
    isSecret: true,
    meaning: 'signs URLs of files and grants, at least 32 characters; shared by all processes',
  },
  DEVICE_KEY_SECRET: {
    schema: secrets,
    default: '',
    readBy: ['api'],
    isSecret: true,
    meaning:
      'secrets that encrypt the keys of devices and webhooks, comma separated, newest first; without it URL_SIGNING_SECRET encrypts them',
  },
  ENVIRONMENT: {
    schema: text,
    default: 'local',
    readBy: ['api'],
    meaning: 'shown by `/api/health`; in `local` a draft of the policies can be accepted',
  },
  COMMIT_SHA: { schema: text, readBy: ['api'], meaning: 'shown by `/api/health`' },
  LOG_LEVEL: {
    schema: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }),
    default: 'info',
    readBy: ['api', 'graphql'],
    meaning: `minimum level of written log lines: ${logLevels.join(', ')}`,
  },
  POLLING_INTERVAL_MS: {
    schema: integer(20, 10_000),
    default: '500',
    readBy: ['api'],
    unit: 'ms',
    meaning: 'interval between two polls of the head of the chain',
  },
  WRITE_ANSWER_MS: {
    schema: integer(100, 60_000),
    default: '55000',
    readBy: ['api'],
    unit: 'ms',
    meaning:
      'maximum wait of a relayed write for its outcome before 409 `intent_in_flight`; set it below the timeout of a proxy',
  },
  QUOTAS: {
    schema: number(0.1, 1_000),
    default: '1',
    readBy: ['api'],
    meaning:
      'multiplies the rates of clients and the bytes that they may store (`docs/build/limits.md`), from 0.1 to 1000',
  },
  EXPORTS_DIR: {
    schema: text,
    readBy: ['api'],
    meaning: 'folder of exports, which the service serves',
  },
  EXPORTS_URL: {
    schema: baseUrl,
    readBy: ['api'],
    meaning: 'public address of a bucket with exports; EXPORTS_DIR is not listed then',
  },
  CURATORS: {
    schema: accounts,
    default: '',
    readBy: ['api'],
    meaning: 'up to ten accounts that approve and reject vaults (`docs/build/vaults.md`), comma separated',
  },
  LEGAL_DIRECTORY: {
    schema: text,
    default: 'policies',
    readBy: ['api'],
    meaning: 'folder of the four policies and their `bundle.json` (`docs/operate/legal.md`)',
  },
  LEGAL_ENFORCEMENT: {
    schema: onOrOff,
    default: 'off',
    readBy: ['api'],
    meaning: '`on`: protected writes need a receipt of the current policies',
  },
  OPERATOR_WEBHOOK_URL: {
    schema: httpUrl,
    readBy: ['api'],
    isSecret: true,
    meaning:
      'URL of the operator that receives messages about low balances, held writes and books that differ (`docs/operate/operator-webhooks.md`)',
  },
  OPERATOR_WEBHOOK_SECRET: {
    schema: webhookSecret,
    readBy: ['api'],
    isSecret: true,
    meaning: 'secret that signs messages to the operator (Standard Webhooks): `whsec_` and 24 to 64 bytes as base64',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: baseUrl,
    readBy: ['api'],
    meaning: 'collector of traces, OTLP over HTTP (`docs/operate/traces.md`); without it no traces are sent',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: otlpHeaders,
    default: '',
    readBy: ['api'],
    isSecret: true,
    meaning: 'headers for the collector, `name=value`, comma separated',
  },
  OTEL_SERVICE_NAME: {
    schema: text,
    default: 'task-market-api',
    readBy: ['api'],
    meaning: 'name of the service in traces',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z.enum(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
      { error: 'must be always_on, always_off or traceidratio, alone or with parentbased_ before it' },
    ),
    default: 'parentbased_always_on',
    readBy: ['api'],
    meaning:
      'selection of the traces that are sent: `always_on`, `always_off`, `traceidratio`, or one of them with `parentbased_` before it',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: number(0, 1),
    default: '1',
    readBy: ['api'],
    meaning: 'share of the traces with `traceidratio`, from 0 to 1',
  },
  METRICS_PORT: {
    schema: port,
    readBy: ['api'],
    meaning: 'port of a listener for `/metrics` alone; without it `/metrics` is on PORT, for this machine only',
  },
  METRICS_HOST: {
    schema: text,
    default: '127.0.0.1',
    readBy: ['api', 'indexer', 'graphql', 'standby-keeper'],
    meaning: 'address of the listeners for `/metrics` alone',
  },
  SHUTDOWN_DRAIN_MS: {
    schema: integer(0, 600_000),
    default: '200',
    readBy: ['api'],
    unit: 'ms',
    meaning: 'time for which a process that ends accepts requests while `/ready` answers 503',
  },
  INDEXER_HOST: {
    schema: text,
    default: '127.0.0.1',
    readBy: ['indexer'],
    meaning: 'address at which Ponder serves its status',
  },
  INDEXER_PORT: {
    schema: integer(1, 65_535),
    default: '42069',
    readBy: ['indexer'],
    meaning: 'port at which Ponder serves its status',
  },
  INDEXER_METRICS_PORT: {
    schema: port,
    readBy: ['indexer'],
    meaning: 'port of a listener for the `/metrics` of the indexer; without it the indexer has no metrics',
  },
  INDEXER_LOG_FILE: { schema: text, readBy: ['indexer'], meaning: 'file that receives the log of Ponder itself' },
  GRAPHQL_HOST: {
    schema: text,
    default: '127.0.0.1',
    readBy: ['graphql'],
    meaning: 'address that GraphQL listens at',
  },
  GRAPHQL_PORT: { schema: port, default: '42070', readBy: ['graphql'], meaning: 'port of GraphQL' },
  GRAPHQL_METRICS_PORT: {
    schema: port,
    readBy: ['graphql'],
    meaning:
      'port of a listener for its `/metrics` alone; without it `/metrics` is on GRAPHQL_PORT, for this machine only',
  },
  GRAPHQL_REQUESTS_PER_MINUTE: {
    schema: integer(1, 1_000_000_000),
    default: '120',
    readBy: ['graphql'],
    meaning: 'requests of one client IP in a minute',
  },
  API_URL: {
    schema: baseUrl,
    default: 'http://127.0.0.1:3000',
    readBy: ['web'],
    meaning: 'root of the service, as this process reaches it',
  },
  PUBLIC_API_URL: {
    schema: baseUrl,
    readBy: ['web'],
    meaning: 'root of the service, as browsers reach it; API_URL by default',
  },
  WEB_HOST: { schema: text, default: '127.0.0.1', readBy: ['web'], meaning: 'address that the pages listen at' },
  WEB_PORT: { schema: port, default: '3001', readBy: ['web'], meaning: 'port of the pages' },
  WEB_URL: { schema: baseUrl, readBy: ['web'], meaning: 'public address of the pages; host and port by default' },
  STORAGE_ORIGINS: {
    schema: origins,
    default: '',
    readBy: ['web'],
    meaning: 'origins of files, comma separated: a bucket, or the ARTIFACT_BASE_URL of the service',
  },
  LOCAL_CONSTANTS: {
    schema: z.string(),
    readBy: ['api'],
    meaning:
      'a local chain only: JSON that replaces constants of `api/constants.ts`, such as `{"READS_PER_MINUTE": 60000}`',
  },
  FAILPOINT: {
    schema: text,
    readBy: ['api'],
    meaning: 'a local chain only: name of the place where the process kills itself, or with `:stop` freezes',
  },
} as const satisfies Record<string, Setting>

type Table = typeof table
type Read<Name extends keyof Table> = z.output<Table[Name]['schema']>
type NeededBy<Name extends keyof Table> = Table[Name] extends { neededBy: readonly (infer Needing)[] } ? Needing : never
type NameOf<P extends Program> = {
  [Name in keyof Table]: P extends Table[Name]['readBy'][number] ? Name : never
}[keyof Table]
type AlwaysSet<P extends Program> = {
  [Name in NameOf<P>]: Table[Name] extends { default: string } ? Name : P extends NeededBy<Name> ? Name : never
}[NameOf<P>]

/**
 * The parsed settings of a program. A setting is optional if it has no default value and the program can start without
 * it.
 */
export type SettingsOf<P extends Program> = { -readonly [Name in AlwaysSet<P>]: Read<Name> } & {
  -readonly [Name in Exclude<NameOf<P>, AlwaysSet<P>>]?: Read<Name> | undefined
}
