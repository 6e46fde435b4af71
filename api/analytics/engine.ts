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
  /** Values of `$1`, `$2`, ... as texts; the server takes each for the type that the query asks for. */
  parameters: readonly (string | null)[]
}

/** A task of the process: answer a query into a file, or plan it. */
export interface EngineTask {
  database: ReaderDatabase
  query: Query
  deadlineMs: number
  /** Of what the server sends for one statement. */
  maxBytes: number
  /** Absent: the plan is asked for. */
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

/** How much later than its deadline a query's end may be told; then its client is answered without it, milliseconds. */
const GRACE_MS = 500
/** The keeper of the standby has ended a session of the service by then, also one that the server cannot interrupt. */
const ENDED_AFTER_MS = 20_000
const PROGRAM = new URL('./engine-process.ts', import.meta.url)
/** Megabytes: the rows of one page, as texts and encoded; kilobytes of the stack, which the recursion of a long query takes. */
const MEMORY = ['--max-old-space-size=256', '--max-semi-space-size=16', '--stack-size=7000']
/** Variables that a connection to the server needs; the secrets of the service stay with the service. */
const PASSED_ON = /^(?:PG[A-Z]+|NODE_EXTRA_CA_CERTS|PATH)$/

/** A task under way. */
export interface EngineRun {
  /** Rejects with QueryFailed, or with the reason of the signal. */
  result: Promise<WrittenAnswer | Plan>
  /**
   * Resolves when the server has ended the query and nothing is written any more, and never rejects. Later than `result`
   * where the client is gone, or the server is in a function that it cannot interrupt.
   */
  ended: Promise<void>
}

/** Runs one task at a time: the next one when the last has ended. */
export interface Engine {
  /** @param signal the client is gone */
  run(task: EngineTask, signal: AbortSignal | undefined): EngineRun
  stop(): Promise<void>
}

/**
 * A process that parses, reads and encodes answers: what a text or an answer costs, it costs there, behind everything else
 * on the machine, and a process that breaks or does not end is replaced. It shares no memory with the service: a thread
 * would, and the service waits for that memory.
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
    const lost = current?.child
    current = null
    if (lost === undefined || hasEnded(lost)) return
    const gone = once(lost, 'exit')
    lost.kill('SIGKILL')
    await gone
  }

  /** Resolves with what the process tells of its task, or with why it was lost. */
  const outcomeOf = async (task: EngineTask): Promise<Outcome> => {
    try {
      // Between two tasks no listener hears that a process ends.
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
      // An error that has no listener ends the service.
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

/** A process that is gone tells so itself. */
function send(child: ChildProcess, message: EngineTask | 'cancel'): void {
  child.send(message, () => {})
}

/** The result as its client gets it: in time, or not at all. */
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
    const told = await Promise.race([outcome, aborted, late])
    if ('lost' in told) throw told.lost
    if ('failure' in told) throw new QueryFailed(told.failure)
    return told.result
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Tells why a process ended by itself, by what it did: its stack was full, or its memory. */
const lostAt: Record<Stage, () => QueryFailed> = {
  starting: noProcess,
  parsing: () => new QueryFailed({ kind: 'refused', message: 'The query is too complex; write it in fewer levels.' }),
  running: () => new QueryFailed({ kind: 'limit', message: 'The answer takes more memory than an answer may have.' }),
}

/** It cannot be started, or the operator or the system ended it. */
function noProcess(): QueryFailed {
  return new QueryFailed({ kind: 'unavailable', message: 'The process of the query ended; try again shortly.' })
}
