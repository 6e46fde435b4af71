import { z } from 'zod'
import { logLevels, trustedProxies } from '../api/config.ts'

const variables = z.object({
  /** Postgres with the views of MARKET_SCHEMA, on the login `market_reader`, which may read them and nothing else. */
  READER_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
  /** Schema of the indexer's views. */
  MARKET_SCHEMA: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,44}$/, 'must be a lower-case name of a schema')
    .default('market'),
  /** The deployment whose rows are read: its chain. */
  DEPLOYMENT_FILE: z.string().min(1).default('deployments/8453.json'),
  /** Where the process listens. */
  GRAPHQL_HOST: z.string().min(1).default('127.0.0.1'),
  GRAPHQL_PORT: z.coerce.number().int().min(0).max(65_535).default(42_070),
  /** Requests of one client IP in a minute. */
  GRAPHQL_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(120),
  /** Proxies whose `X-Forwarded-For` counts: addresses or CIDR ranges, comma separated. */
  TRUSTED_PROXIES: trustedProxies,
  /** Least level that is written. */
  LOG_LEVEL: z.enum(logLevels).default('info'),
})

export type GraphqlSettings = z.infer<typeof variables>

/**
 * Reads the settings of the GraphQL process.
 * @throws Error listing every problem at once, by variable.
 */
export function readGraphqlSettings(env: Record<string, string | undefined>): GraphqlSettings {
  const parsed = variables.safeParse(env)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(['GraphQL cannot start with these settings:', ...problems].join('\n'))
}
