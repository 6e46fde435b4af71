import { join } from 'node:path'
import { z } from 'zod'
import { nodeUrls } from '../../api/nodes/node-urls.ts'
import { repositoryRoot } from '../process/paths.ts'
import type { IndexerOptions } from './start-indexer.ts'

/** What `npm run indexer` reads beyond what ponder.config.ts does. */
export const indexerVariables = z.object({
  /** One node or several, in the order of preference. */
  RPC_URL: nodeUrls,
  /** The WebSocket of the only node, which tells new heads; absent: they are polled for. */
  RPC_SOCKET_URL: z.url({ protocol: /^wss?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DEPLOYMENT_FILE: z
    .string()
    .min(1)
    .default(join(repositoryRoot, 'deployments', '8453.json')),
  /** Where Ponder's HTTP serves its status. */
  INDEXER_HOST: z.string().min(1).default('127.0.0.1'),
  INDEXER_PORT: z.coerce.number().int().min(1).max(65_535).default(42_069),
  INDEXER_LOG_FILE: z.string().min(1).optional(),
})

const environmentSchema = indexerVariables.refine(
  ({ RPC_URL, RPC_SOCKET_URL }) => RPC_URL.length === 1 || RPC_SOCKET_URL === undefined,
  { path: ['RPC_SOCKET_URL'], error: 'is of one node: not with several of RPC_URL' },
)

/** The options of `startIndexer` from environment variables. @throws one error that lists every problem */
export function readIndexerSettings(environment: NodeJS.ProcessEnv): IndexerOptions {
  const result = environmentSchema.safeParse(environment)
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(['The indexer cannot start; wrong or missing in the environment:', ...problems].join('\n'))
  }
  const settings = result.data
  return {
    rpcUrls: settings.RPC_URL,
    ...(settings.RPC_SOCKET_URL === undefined ? {} : { rpcSocketUrl: settings.RPC_SOCKET_URL }),
    databaseUrl: settings.DATABASE_URL,
    deploymentFile: settings.DEPLOYMENT_FILE,
    host: settings.INDEXER_HOST,
    port: settings.INDEXER_PORT,
    ...(settings.INDEXER_LOG_FILE === undefined ? {} : { logFile: settings.INDEXER_LOG_FILE }),
    env: environment,
  }
}
