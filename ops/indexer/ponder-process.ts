import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { hasOptionalTls } from '../../settings/pg-tls.ts'
import { SettingsError } from '../../settings/read-settings.ts'
import { type Child, startChild, tailOf, waitUntilReady } from '../process/child.ts'
import { repositoryRoot } from '../process/paths.ts'
import { findFreePort } from '../process/ports.ts'
import { TOKEN_VARIABLE } from './metrics-token.ts'

export interface PonderOptions {
  /** Directory of Ponder's source: the config, the schema, `src`, and the files that they import. */
  root: string
  rpcUrl: string
  databaseUrl: string
  deploymentFile: string
  /** URL of the WebSocket from which Ponder receives new block headers. */
  headsUrl: string
  schema: string
  /** Port of Ponder's HTTP server; absent to use any free port. */
  port?: number
  /** Address at which Ponder's HTTP server listens. */
  host: string
  logFile: string
  /**
   * Environment variables for Ponder. They must include the variables of ponder.config.ts that the options above do not
   * set, such as POLLING_INTERVAL_MS.
   */
  env: NodeJS.ProcessEnv
}

export interface Ponder {
  child: Child
  port: number
  /** Token that Ponder's `/metrics` requires. */
  metricsToken: string
}

/**
 * Starts Ponder, and returns when the tables exist and Ponder's HTTP server answers. The backfill may still be running.
 * @throws with the end of Ponder's log if Ponder ends first
 */
export async function startPonder(options: PonderOptions): Promise<Ponder> {
  const port = options.port ?? (await findFreePort())
  const metricsToken = randomUUID()
  const child = await startChild({
    name: 'ponder',
    command: process.execPath,
    args: [
      // It comes first, so that it applies to all later modules.
      '--import',
      join(repositoryRoot, 'ops', 'process', 'resolve-relative-imports.ts'),
      '--import',
      join(import.meta.dirname, 'end-with-parent.ts'),
      '--import',
      join(import.meta.dirname, 'limit-routes.ts'),
      '--import',
      join(import.meta.dirname, 'lighten-live-blocks.ts'),
      '--import',
      join(import.meta.dirname, 'announce-recovery.ts'),
      '--import',
      join(import.meta.dirname, 'escape-log.ts'),
      '--import',
      join(import.meta.dirname, 'write-nothing.ts'),
      '--import',
      join(import.meta.dirname, 'load-natively.ts'),
      join(repositoryRoot, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js'),
      'start',
      '--root',
      options.root,
      '--schema',
      options.schema,
      '--port',
      String(port),
      '--hostname',
      options.host,
      // A line per block would grow the log without end.
      '--log-format',
      'json',
      '--log-level',
      options.env.PONDER_LOG_LEVEL ?? 'warn',
    ],
    cwd: options.root,
    env: {
      ...options.env,
      ...(hasOptionalTls(options.env) && { PGSSLMODE: 'disable' }),
      RPC_URL: options.rpcUrl,
      DATABASE_URL: options.databaseUrl,
      DEPLOYMENT_FILE: options.deploymentFile,
      HEADS_URL: options.headsUrl,
      [TOKEN_VARIABLE]: metricsToken,
      // Continues in a schema of another build id. The schema's name already contains everything that decides its rows, which
      // excludes comments. Ponder reads the variable nowhere else.
      PONDER_EXPERIMENTAL_DB: 'platform',
      // It goes before the option in Ponder.
      PORT: String(port),
      // Loading Ponder's own code takes a large part of a start.
      NODE_COMPILE_CACHE: options.env.NODE_COMPILE_CACHE ?? join(repositoryRoot, 'node_modules', '.cache', 'ponder'),
    },
    logFile: options.logFile,
    stopSignal: 'SIGINT',
    // Ponder's own time limit is five seconds.
    stopTimeoutMilliseconds: 6000,
  })
  try {
    const answers = () => (wasPortTaken(child) ? 'taken' : findAnswer(options.host, port))
    const answer = await waitUntilReady(child, async () => answers(), {
      intervalMilliseconds: 50,
    })
    if (answer === 'yes') return { child, port, metricsToken }
  } catch (cause) {
    await child.stop()
    throw new Error(`Ponder did not get as far as its HTTP\n${readPonderLog(child)}`, { cause })
  }
  // Ponder takes the next free port by itself, which no caller knows.
  await child.stop()
  if (options.port === undefined) return startPonder(options)
  throw new SettingsError([{ setting: 'INDEXER_PORT', problem: `${port} is taken` }])
}

/** Returns the end of Ponder's log as text: each message with its error and the details of its event. */
export function readPonderLog(child: Child): string {
  return tailOf(child.readLog().split('\n').map(describeLine).join('\n'), 80)
}

function wasPortTaken(child: Child): boolean {
  return child.readLog().includes('"msg":"Port in use"')
}

/** Returns the URL of Ponder's HTTP server on this machine. */
export function ponderUrl(host: string, port: number): string {
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
}

async function findAnswer(host: string, port: number): Promise<'yes' | null> {
  try {
    const response = await fetch(`${ponderUrl(host, port)}/health`, { signal: AbortSignal.timeout(1000) })
    return response.ok ? 'yes' : null
  } catch {
    return null
  }
}

function describeLine(line: string): string {
  try {
    const { msg, error } = JSON.parse(line)
    const reason = error?.stack ?? error?.message
    return [msg, reason, error?.meta].filter((part) => typeof part === 'string').join('\n')
  } catch {
    return line
  }
}
