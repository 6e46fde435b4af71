import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { createHeadReader, findIndexedHead } from '../../../ops/indexer/indexed-head.ts'
import { startChild, waitUntilReady } from '../../../ops/process/child.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { findFreePort } from '../../../ops/process/ports.ts'

export interface IndexRun {
  /** From the start of Ponder's process to rows of the chain's height, milliseconds. */
  whole: number
  /** What Ponder says the indexing of the history took, from its first event to its last. */
  backfill: number
  /** Processor time of Ponder's process from its start to its end, milliseconds. */
  cpu: number
}

const schema = 'idx_bench'

/** Runs Ponder on an empty database until it has caught up, and ends it. */
export async function indexOnce(options: {
  root: string
  databaseUrl: string
  rpcUrl: string
  deploymentFile: string
  logFile: string
}): Promise<IndexRun> {
  const { root, databaseUrl, rpcUrl, deploymentFile, logFile } = options
  const port = await findFreePort()
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const cpuFile = `${logFile}.cpu`
  const { number: target } = await createHeadReader(rpcUrl)()
  const startedAt = performance.now()
  const child = await startChild({
    name: 'ponder',
    command: process.execPath,
    args: [
      '--import',
      join(import.meta.dirname, 'report-cpu.ts'),
      join(repositoryRoot, 'node_modules', 'ponder', 'dist', 'esm', 'bin', 'ponder.js'),
      'start',
      '--root',
      root,
      '--schema',
      schema,
      '--port',
      String(port),
      '--hostname',
      '127.0.0.1',
      '--log-format',
      'json',
      '--log-level',
      'info',
    ],
    cwd: root,
    env: {
      ...process.env,
      RPC_URL: rpcUrl,
      DATABASE_URL: databaseUrl,
      DEPLOYMENT_FILE: deploymentFile,
      PORT: String(port),
      LOCAL_CHAIN: '1',
      CPU_FILE: cpuFile,
      NODE_COMPILE_CACHE: join(repositoryRoot, 'node_modules', '.cache', 'ponder'),
    },
    logFile,
    stopSignal: 'SIGINT',
    stopTimeoutMilliseconds: 6000,
  })
  try {
    const isCaughtUp = async () => {
      const head = await findIndexedHead(sql, schema).catch(() => null)
      return head?.isReady && head.blockNumber >= target ? true : null
    }
    await waitUntilReady(child, isCaughtUp, { timeoutMilliseconds: 600_000, intervalMilliseconds: 20 })
    const whole = performance.now() - startedAt
    const backfill = backfillOf(child.readLog())
    await child.stop()
    return { whole, backfill, cpu: Number(readFileSync(cpuFile, 'utf8')) * 1000 }
  } finally {
    await child.stop()
    await sql.end()
  }
}

function backfillOf(log: string): number {
  for (const line of log.split('\n')) {
    if (!line.includes('"Completed backfill indexing across all chains"')) continue
    const { duration } = JSON.parse(line) as { duration: number }
    return duration
  }
  throw new Error(`Ponder did not tell how long its backfill took\n${log.slice(-2000)}`)
}
