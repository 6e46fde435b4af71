import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atLowestShare } from '../concurrency/processors-of-strangers.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import type { Column } from '../tabular/column-types.ts'
import type { AnswerLimits, AnswerType, Page } from './answer-file.ts'
import { type FailureFacts, QueryFailed, timedOut } from './query-failure.ts'
import type { ReaderDatabase, Snapshot } from './reader-session.ts'

/** A query as its client sends it. */
export interface Query {
  text: string
  /** The values of `$1`, `$2`, ... as texts; the server converts each to the type that the query requires. */
  parameters: readonly (string | null)[]
}

/** A task of the process: answer a query into a file, or plan it. */
export interface EngineTask {
  database: ReaderDatabase
  query: Query
  deadlineMs: number
  /** The bytes that the server sends for one statement. */
  maxBytes: number
  /** The file of the answer; absent: the task is a plan. */
  answer?: { path: string; type: AnswerType; limits: AnswerLimits }
}

export interface WrittenAnswer {
  snapshot: Snapshot | null
  columns: Column[]
  pages: Page[]
}

export interface Plan {
  snapshot: Snapshot | null
  /** `EXPLAIN (FORMAT JSON)`. */
  plan: string
}

/** A message of the process. `running`: the text is admitted, and the database works. */
export type EngineMessage = 'ready' | 'running' | { result: WrittenAnswer | Plan } | { failure: FailureFacts }

/** The grace after the deadline for the end of a query, milliseconds; then its client is answered without it. */
const GRACE_MS = 500
/**
 * The time by which the standby's supervisor has ended a session of the service, also one that the server cannot
 * interrupt.
 */
const ENDED_AFTER_MS = 20_000
const PROGRAM = new URL('./engine-process.ts', import.meta.url)
/**
 * Megabytes for the rows of one page, as texts and encoded; kilobytes of the stack for the recursion of a long query.
 */
const MEMORY = ['--max-old-space-size=256', '--max-semi-space-size=16', '--stack-size=7000']
/** The environment variables that a database connection needs; the service's secrets are not among them. */
const PASSED_ON = /^(?:PG[A-Z]+|NODE_EXTRA_CA_CERTS|PATH)$/

/** A running task. */
export interface EngineRun {
  /** Rejects with QueryFailed, or with the reason of the signal. */
  result: Promise<WrittenAnswer | Plan>
  /**
   * Resolves when the server has ended the query and nothing is written any more; it never rejects. It is later than
   * `result` after a disconnection, or when the server runs a function that it cannot interrupt.
   */
  ended: Promise<void>
}

/** An engine that runs one task at a time. */
export interface Engine {
  /** Runs a task. @param signal aborts when the client disconnects */
  run(task: EngineTask, signal: AbortSignal | undefined): EngineRun
  stop(): Promise<void>
}

/**
 * Creates an engine: a process that parses, reads and encodes answers at the lowest priority, so that their cost stays
 * in it. A crashed or hanging process is replaced. It shares no memory with the service, which would wait for a
 * thread's memory.
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

  /** Resolves with the process's message about its task, or with the reason of its loss. */
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
      const ended = withTimeout(outcome, task.deadlineMs + ENDED_AFTER_MS).then(async (told) => {
        signal?.removeEventListener('abort', cancel)
        if (told === null || 'lost' in told) await stop()
      })
      return { result: resultOf(outcome, { signal, deadlineMs: task.deadlineMs }), ended }
    },
    stop,
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

type Outcome = Exclude<EngineMessage, string> | { lost: QueryFailed }
type Stage = 'starting' | 'parsing' | 'running'

/** Sends a message; errors are ignored, because the exit of a process is reported separately. */
function send(child: ChildProcess, message: EngineTask | 'cancel'): void {
  child.send(message, () => {})
}

/** Returns the result for the client in time, or rejects. */
async function resultOf(
  outcome: Promise<Outcome>,
  { signal, deadlineMs }: { signal: AbortSignal | undefined; deadlineMs: number },
): Promise<WrittenAnswer | Plan> {
  signal?.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort)
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(deadlineMs)), deadlineMs + GRACE_MS)
  })
  try {
    const firstOutcome = await Promise.race([outcome, aborted, late])
    if ('lost' in firstOutcome) throw firstOutcome.lost
    if ('failure' in firstOutcome) throw new QueryFailed(firstOutcome.failure)
    return firstOutcome.result
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** The errors for a process that ended by itself, by its stage: its stack was full, or its memory. */
const lostAt: Record<Stage, () => QueryFailed> = {
  starting: noProcess,
  parsing: () => new QueryFailed({ kind: 'refused', message: 'The query is too complex; write it in fewer levels.' }),
  running: () => new QueryFailed({ kind: 'limit', message: 'The answer takes more memory than an answer may have.' }),
}

/** Returns the error of a process that could not start, or that the operator or the system ended. */
function noProcess(): QueryFailed {
  return new QueryFailed({ kind: 'unavailable', message: 'The process of the query ended; try again shortly.' })
}
