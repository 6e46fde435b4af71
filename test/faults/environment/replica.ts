import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../../ops/process/ports.ts'
import { signalProcess } from '../../../ops/process/process-registry.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { type Api, startApi } from '../../../scripts/stack/api-process.ts'
import type { PostgresProxy } from '../inject/postgres-proxy.ts'
import type { RpcProxy } from '../inject/rpc-proxy.ts'
import { pollUntil } from '../poll-until.ts'

/** `paused`: stopped by SIGSTOP, its connections open and silent. */
export type ReplicaState = 'up' | 'paused' | 'down'

/** One API process of an environment, which comes and goes on one port. */
export interface Replica {
  index: number
  url: string
  readonly state: ReplicaState
  /** What it reaches the chain and Postgres through. */
  rpc: RpcProxy
  postgres: PostgresProxy
  /**
   * Starts it and waits until it is healthy. Must be down. Resolves with the time of its launch (performance.now()).
   */
  start(settings?: Record<string, string>): Promise<number>
  /** Ends it well. */
  stop(): Promise<void>
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** SIGSTOP from outside, wherever it is. */
  pause(): Promise<void>
  /** SIGCONT. */
  resume(): void
  /** Resolves when it ended by itself (a failpoint). Throws at the deadline. */
  untilDead(deadlineMs?: number): Promise<void>
  /** Resolves when it has stopped itself (a failpoint with `:stop`). Throws at the deadline. */
  untilPaused(deadlineMs?: number): Promise<void>
  /** Aborted when it goes down or stops: an answer from it is not to be expected any more. */
  gone(): AbortSignal
  /** One a run, in order. */
  logFiles: readonly string[]
  /** Of its process. Throws while it is down. */
  pid(): number
  /** What it runs with now; null while it is down. */
  settings(): Record<string, string> | null
}

export interface ReplicaOptions {
  index: number
  rpc: RpcProxy
  postgres: PostgresProxy
  deploymentFile: string
  artifactDirectory: string
  /** Its logs go there, one file a run. */
  logDirectory: string
  settings: Record<string, string>
  /** It ended without being asked to, and without a failpoint. */
  onDeath: (end: string) => void
}

const DEADLINE_MS = 40_000

export async function createReplica(options: ReplicaOptions): Promise<Replica> {
  const { index, rpc, postgres } = options
  const port = await findFreePort()
  let api: Api | null = null
  let running: Record<string, string> | null = null
  let state: ReplicaState = 'down'
  let gone = AbortSignal.abort()
  let goes = new AbortController()
  const logFiles: string[] = []

  const note = (next: ReplicaState) => {
    state = next
    if (next !== 'up') goes.abort()
  }
  const renew = () => {
    goes = new AbortController()
    gone = goes.signal
    state = 'up'
  }
  const processId = () => {
    if (api === null) throw new Error(`API process ${index} is down`)
    return api.child.pid
  }
  const end = async (work: (running: Api) => Promise<void>) => {
    if (api === null) return
    const ending = api
    note('down')
    api = null
    running = null
    await work(ending)
  }
  return {
    index,
    rpc,
    postgres,
    logFiles,
    url: `http://127.0.0.1:${port}`,
    get state() {
      return state
    },
    start: async (settings = {}) => {
      if (api !== null) throw new Error(`API process ${index} runs already`)
      const launchedAt = performance.now()
      const logFile = join(options.logDirectory, `api-${index}-${logFiles.length}.log`)
      logFiles.push(logFile)
      const started = await startApi({
        port,
        databaseUrl: postgres.url,
        rpcUrl: rpc.url,
        deploymentFile: options.deploymentFile,
        artifactDirectory: options.artifactDirectory,
        relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
        urlSigningSecret: 'a secret of the fault suite, long enough',
        logFile,
        environment: { ...options.settings, ...settings },
      })
      api = started
      running = settings
      renew()
      started.child.ended.then(({ description }) => {
        if (api !== started) return
        if (settings.FAILPOINT === undefined) options.onDeath(description)
        api = null
        running = null
        note('down')
      })
      return launchedAt
    },
    stop: () =>
      end(async ({ child, stop }) => {
        signalProcess(child.pid, 'SIGCONT')
        await stop()
      }),
    kill: () =>
      end(async ({ child }) => {
        signalProcess(child.pid, 'SIGKILL')
        await child.ended
      }),
    pause: async () => {
      signalProcess(processId(), 'SIGSTOP')
      note('paused')
    },
    resume: () => {
      signalProcess(processId(), 'SIGCONT')
      renew()
    },
    untilDead: async (deadlineMs = DEADLINE_MS) => {
      await pollUntil(`API process ${index} to end`, () => state === 'down', deadlineMs)
    },
    untilPaused: async (deadlineMs = DEADLINE_MS) => {
      await pollUntil(`API process ${index} to stop`, () => isStopped(processId()), deadlineMs)
      note('paused')
    },
    gone: () => gone,
    pid: processId,
    settings: () => running,
  }
}

/** Linux says so itself; elsewhere the paused process fault cases cannot run. */
function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'T'
}
