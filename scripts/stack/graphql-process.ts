import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { type HttpProcess, startHttpProcess } from './http-process.ts'
import { graphqlNodeOptions } from './node-options.mjs'

export interface GraphqlOptions {
  port: number
  deploymentFile: string
  /** URL of the database with the login `market_reader`. */
  readerDatabaseUrl: string
  logFile: string
  /** Further settings of settings/table.ts, by name. */
  environment?: Record<string, string>
}

/**
 * Starts the GraphQL process, and waits until `GET /health` answers with status 200. The path for queries is
 * `/graphql`.
 * @throws with the end of the process's log if it does not start
 */
export async function startGraphql(options: GraphqlOptions): Promise<HttpProcess> {
  return startHttpProcess({
    name: 'graphql',
    args: [...graphqlNodeOptions, join(repositoryRoot, 'graphql', 'main.ts')],
    port: options.port,
    healthPath: '/health',
    environment: {
      GRAPHQL_HOST: '127.0.0.1',
      GRAPHQL_PORT: String(options.port),
      DEPLOYMENT_FILE: options.deploymentFile,
      READER_DATABASE_URL: options.readerDatabaseUrl,
      ...options.environment,
    },
    logFile: options.logFile,
  })
}
