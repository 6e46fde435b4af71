import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atLowestShare } from '../concurrency/processors-of-strangers.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { Column } from '../tabular/column-types.ts'
import type { AnswerLimits, AnswerType, Page } from './answer-file.ts'
import { type FailureFacts, QueryFailed, timedOut } from './query-failure.ts'
import type { ReaderDatabase, Snapshot } from './reader-session.ts'

/** A query as the client sent it. */
export interface Query {
  text: string
  /**
   * The values of `$1`, `$2`, ... as texts. The database server converts each value to the type that the query
   * requires.
   */
  parameters: readonly (string | null)[]
}

/** A job of the engine process. The engine process writes a query's answer to a file, or returns a query's plan. */
export interface EngineTask {
  database: ReaderDatabase
  query: Query
  deadlineMs: number
  /** The most bytes that the database server may send for one statement. */
  maxBytes: number
  /** The file for the answer. If absent, the engine process returns only the plan. */
  answer?: { path: string; type: AnswerType; limits: AnswerLimits }
}

export interface WrittenAnswer {
  snapshot: Snapshot | null
  columns: Column[]
  pages: Page[]
}

export interface Plan {
  snapshot: Snapshot | null
  /** The plan as JSON text: the result of `EXPLAIN (FORMAT JSON)`. */
  plan: string
}

/**
 * A message of the engine process. `running` means that the query's text was accepted and the database runs the query.
 */
export type EngineMessage = 'ready' | 'running' | { result: WrittenAnswer | Plan } | { failure: FailureFacts }

/**
 * The time in milliseconds from a query's deadline to the error that the client receives. Used if no result exists by
 * then.
 */
const GRACE_MS = 500
/**
 * The time in milliseconds from a query's deadline to the end of the engine process. If the engine process sends an
 * outcome earlier, the engine process is not ended. The standby server's keeper (ops/standby) has a shorter limit: it
 * ends the query's database session first.
 */
const ENDED_AFTER_MS = 20_000
const PROGRAM = new URL('./engine-process.ts', import.meta.url)
/**
 * The memory limits of the process: megabytes of heap for the rows of one page, and kilobytes of stack for the parser.
 */
const MEMORY = ['--max-old-space-size=256', '--max-semi-space-size=16', '--stack-size=7000']
/** Matches the environment variables that a database connection needs. They do not include the service's secrets. */
const PASSED_ON = /^(?:PG[A-Z]+|NODE_EXTRA_CA_CERTS|PATH)$/

/** A run of one job in an engine. */
export interface EngineRun {
  /** The result of the job. The promise rejects with QueryFailed or with the reason of the signal. */
  result: Promise<WrittenAnswer | Plan>
  /**
   * Resolves when the server has ended the query and the answer's file is complete. Never rejects. `ended` may resolve
   * later than `result`, for example after a disconnection.
   */
  ended: Promise<void>
}

/** An engine that runs one job at a time. */
export interface Engine {
  /**
   * Runs a job.
   * @param signal aborts when the client disconnects
   */
  run(task: EngineTask, signal: AbortSignal | undefined): EngineRun
  stop(): Promise<void>
}

/**
 * Creates an engine: a process that parses queries, reads rows and encodes answers, at the lowest priority. The process
 * shares no memory with the service. If the process crashes or hangs, it is replaced.
 */
export function createEngine(program: URL = PROGRAM): Engine {
  let current: { child: ChildProcess; whenReady: Promise<void> } | null = null

  const start = () => {
    const { command, args } = atLowestShare(process.execPath, MEMORY)
    const child = fork(fileURLToPath(program), {
      execPath: command,
      execArgv: args,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.unref()
    child.channel?.unref()
    const whenReady = new Promise<void>((resolve) => {
      child.once('message', () => resolve())
    })
    return { child, whenReady }
  }
  const stop = async () => {
    const lostChild = current?.child
    current = null
    if (lostChild === undefined || hasEnded(lostChild)) return
    const exit = once(lostChild, 'exit')
    lostChild.kill('SIGKILL')
    await exit
  }

  /**
   * Waits until the process sends the outcome of the task or ends. If the process ends, the returned outcome contains
   * the error for the client.
   */
  const outcomeOf = async (task: EngineTask): Promise<Outcome> => {
    try {
      // Between two tasks no listener reports that a process ends.
      if (current === null || hasEnded(current.child)) current = start()
    } catch {
      return { lost: noProcess() }
    }
    const { child, whenReady } = current
    let stage: Stage = 'starting'
    return await new Promise<Outcome>((resolve) => {
      const lose = () => resolve({ lost: child.signalCode === 'SIGKILL' ? noProcess() : lostAt[stage]() })
      child.once('error', lose)
      child.once('exit', lose)
      child.on('message', (message: EngineMessage) => {
        if (message === 'running') stage = 'running'
        else if (message !== 'ready') resolve(message)
      })
      void whenReady.then(() => {
        stage = 'parsing'
        send(child, task)
      })
    }).finally(() => {
      for (const event of ['error', 'exit', 'message']) child.removeAllListeners(event)
      // An error without a listener ends the service.
      child.on('error', () => {})
    })
  }

  return {
    run: (task, signal) => {
      const cancel = () => {
        if (current !== null) send(current.child, 'cancel')
      }
      signal?.addEventListener('abort', cancel)
      const outcome = outcomeOf(task)
      const end = withTimeout(outcome, task.deadlineMs + ENDED_AFTER_MS).then(async (lastOutcome) => {
        signal?.removeEventListener('abort', cancel)
        if (lastOutcome === null || 'lost' in lastOutcome) await stop()
      })
      return { result: resultOf(outcome, { signal, deadlineMs: task.deadlineMs }), ended: end }
    },
    stop,
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

type Outcome = Exclude<EngineMessage, string> | { lost: QueryFailed }
type Stage = 'starting' | 'parsing' | 'running'

/** Sends a message to the process. Errors are ignored here: a listener notices the end of the process. */
function send(child: ChildProcess, message: EngineTask | 'cancel'): void {
  child.send(message, () => {})
}

/**
 * Returns the job's result. Rejects if the job fails or if the client disconnects. Rejects also if `GRACE_MS`
 * milliseconds have passed since the deadline without a result.
 */
async function resultOf(
  outcome: Promise<Outcome>,
  { signal, deadlineMs }: { signal: AbortSignal | undefined; deadlineMs: number },
): Promise<WrittenAnswer | Plan> {
  signal?.throwIfAborted()
  let onAbort = () => {}
  const abort = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort)
  })
  let timer: NodeJS.Timeout | undefined
  const timeLimit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(deadlineMs)), deadlineMs + GRACE_MS)
  })
  try {
    const firstOutcome = await Promise.race([outcome, abort, timeLimit])
    if ('lost' in firstOutcome) throw firstOutcome.lost
    if ('failure' in firstOutcome) throw new QueryFailed(firstOutcome.failure)
    return firstOutcome.result
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * The error for the client if the process ended by itself, for each stage at which it can end. `parsing`: the stack was
 * full. `running`: the memory was full.
 */
const lostAt: Record<Stage, () => QueryFailed> = {
  starting: noProcess,
  parsing: () => new QueryFailed({ kind: 'refused', message: 'The query is too complex; write it in fewer levels.' }),
  running: () => new QueryFailed({ kind: 'limit', message: 'The answer takes more memory than an answer may have.' }),
}

/**
 * Returns the error for a query whose process could not start. The error is also used if the operator or the operating
 * system ended the process.
 */
function noProcess(): QueryFailed {
  return new QueryFailed({ kind: 'unavailable', message: 'The process of the query ended; try again shortly.' })
}
