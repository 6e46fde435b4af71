import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constantsOf } from '../../../api/constants.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import { signalProcess } from '../../../ops/process/process-registry.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { type Api, startApi } from '../../../scripts/stack/api-process.ts'
import type { PostgresProxy } from '../inject/postgres-proxy.ts'
import type { RpcProxy } from '../inject/rpc-proxy.ts'
import { pollUntil } from '../poll-until.ts'

/** `paused`: stopped by SIGSTOP, its connections open. */
export type ReplicaState = 'up' | 'paused' | 'down'

/** One API process of an environment; every start uses the same port. */
export interface Replica {
  index: number
  url: string
  readonly state: ReplicaState
  /** Its proxies to the node and to Postgres. */
  rpc: RpcProxy
  postgres: PostgresProxy
  /**
   * Starts it and waits until it is healthy. Must be down. Resolves with the time of its launch (performance.now()).
   * @param root of the release that runs; default: this one
   */
  start(settings?: Record<string, string>, root?: string): Promise<number>
  /** Ends it with a shutdown. */
  stop(): Promise<void>
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>
  /** SIGSTOP from outside, at any point of its work. */
  pause(): Promise<void>
  /** SIGCONT. */
  resume(): void
  /** Resolves when it has ended itself (a failpoint). Throws at the deadline. */
  untilDead(): Promise<void>
  /** Resolves when it has stopped itself (a failpoint with `:stop`). Throws at the deadline. */
  untilPaused(): Promise<void>
  /** Aborts when it ends or is paused: it will not answer. */
  gone(): AbortSignal
  /** One for each start, in order. */
  logFiles: readonly string[]
  /** Process id. Throws while it is down. */
  pid(): number
  /** Settings it was started with; null while it is down. */
  settings(): Record<string, string> | null
}

export interface ReplicaOptions {
  index: number
  rpc: RpcProxy
  postgres: PostgresProxy
  deploymentFile: string
  artifactDirectory: string
  /** Directory of its logs, one file for each start. */
  logDirectory: string
  settings: Record<string, string>
  /** Called when it ends without a request and without a failpoint. */
  onUnexpectedExit: (end: string) => void
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
    start: async (settings = {}, root = repositoryRoot) => {
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
        root,
        environment: namedIn(root, { ...options.settings, ...settings }),
      })
      api = started
      running = settings
      renew()
      started.child.ended.then(({ description }) => {
        if (api !== started) return
        if (settings.FAILPOINT === undefined) options.onUnexpectedExit(description)
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
    untilDead: async () => {
      await pollUntil(`API process ${index} to end`, () => state === 'down', DEADLINE_MS)
    },
    untilPaused: async () => {
      await pollUntil(`API process ${index} to stop`, () => isStopped(processId()), DEADLINE_MS)
      note('paused')
    },
    gone: () => gone,
    pid: processId,
    settings: () => running,
  }
}

/** Without the constants that a release does not have: it would refuse to start. */
function namedIn(root: string, settings: Record<string, string>): Record<string, string> {
  const names = readFileSync(join(root, 'api', 'constants.ts'), 'utf8')
  const isNamed = (name: string) => !(name in constantsOf(1)) || names.includes(` ${name}:`)
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isNamed(name)))
}

/** Read from /proc: fault cases with a paused process need Linux. */
function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'T'
}
