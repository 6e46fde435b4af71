import { join } from 'node:path'
import { z } from 'zod'
import { nodeUrl, nodeUrls } from '../../api/nodes/node-urls.ts'
import { repositoryRoot } from '../process/paths.ts'
import type { IndexerOptions } from './start-indexer.ts'

/** A number from a text, of so many seconds. */
const seconds = z.coerce.number().positive().max(86_400)

/** What `npm run indexer` reads beyond what ponder.config.ts does. */
const variables = z.object({
  /** Not read with RPC_URLS. */
  RPC_URL: nodeUrl.optional(),
  /** Several nodes, in the order of preference. */
  RPC_URLS: nodeUrls.optional(),
  /** The WebSocket of the only node, which tells new heads; absent: they are polled for. */
  RPC_SOCKET_URL: z.url({ protocol: /^wss?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DEPLOYMENT_FILE: z
    .string()
    .min(1)
    .default(join(repositoryRoot, 'contracts', 'deployments', '8453.json')),
  /** Where Ponder's HTTP serves its status. */
  INDEXER_HOST: z.string().min(1).default('127.0.0.1'),
  INDEXER_PORT: z.coerce.number().int().min(1).max(65_535).default(42_069),
  INDEXER_LOG_FILE: z.string().min(1).optional(),
  /** The watchdog restarts Ponder when its rows stand still this long while the chain is ahead, ... */
  INDEXER_STALLED_SECONDS: seconds.default(30),
  /** ... or are more than so many blocks behind for so long. */
  INDEXER_LAG_BLOCKS: z.coerce.bigint().min(1n).default(30n),
  INDEXER_LAG_SECONDS: seconds.default(120),
})

const environmentSchema = variables.transform(({ RPC_URL, RPC_URLS, ...set }, context) => {
  const rpcUrls = RPC_URLS ?? (RPC_URL === undefined ? [] : [RPC_URL])
  const problem = (name: string, message: string) =>
    context.issues.push({ code: 'custom', path: [name], message, input: set })
  if (rpcUrls.length === 0) problem('RPC_URL', 'is needed, or RPC_URLS')
  if (rpcUrls.length > 1 && set.RPC_SOCKET_URL !== undefined)
    problem('RPC_SOCKET_URL', 'is of one node: not with several RPC_URLS')
  return { ...set, rpcUrls }
})

/** The options of `startIndexer` from environment variables. @throws one error that lists every problem */
export function readIndexerSettings(environment: NodeJS.ProcessEnv): IndexerOptions {
  const result = environmentSchema.safeParse(environment)
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(['The indexer cannot start; wrong or missing in the environment:', ...problems].join('\n'))
  }
  const settings = result.data
  return {
    rpcUrls: settings.rpcUrls,
    ...(settings.RPC_SOCKET_URL === undefined ? {} : { rpcSocketUrl: settings.RPC_SOCKET_URL }),
    databaseUrl: settings.DATABASE_URL,
    deploymentFile: settings.DEPLOYMENT_FILE,
    host: settings.INDEXER_HOST,
    port: settings.INDEXER_PORT,
    ...(settings.INDEXER_LOG_FILE === undefined ? {} : { logFile: settings.INDEXER_LOG_FILE }),
    limits: {
      stalledMs: settings.INDEXER_STALLED_SECONDS * 1000,
      lagBlocks: settings.INDEXER_LAG_BLOCKS,
      lagMs: settings.INDEXER_LAG_SECONDS * 1000,
    },
    env: environment,
  }
}
