import { Worker } from 'node:worker_threads'
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

/** A task of the thread: answer a query into a file, or plan it. */
export interface EngineTask {
  database: ReaderDatabase
  query: Query
  deadlineMs: number
  /** Of what the server sends for one statement. */
  maxBytes: number
  /** Absent: the plan is asked for. */
  answer?: { fd: number; type: AnswerType; limits: AnswerLimits }
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

/** A message of the thread. `running`: the text is admitted, and the database works. */
export type EngineMessage = 'ready' | 'running' | { result: WrittenAnswer | Plan } | { failure: FailureFacts }

/** How much later than its deadline a query's end may be told; then its client is answered without it, milliseconds. */
const GRACE_MS = 500
/** The keeper of the standby has ended a session of the service by then, also one that the server cannot interrupt. */
const ENDED_AFTER_MS = 20_000
const PROGRAM = new URL('./engine-thread.ts', import.meta.url)
/** A deep stack for the recursion of a long query; the rows of one page, as texts and encoded. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256, stackSizeMb: 8 }

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
 * A thread that parses, reads and encodes answers: what a text or an answer costs, it costs there, at a low priority, and
 * a thread that breaks or does not end is replaced.
 */
export function createEngine(program: URL = PROGRAM): Engine {
  let current: { thread: Worker; whenReady: Promise<void> } | null = null

  const start = () => {
    const thread = new Worker(program, { resourceLimits: THREAD_LIMITS, stderr: true })
    thread.unref()
    const whenReady = new Promise<void>((resolve) => {
      thread.once('message', () => resolve())
    })
    return { thread, whenReady }
  }
  const stop = async () => {
    const lost = current
    current = null
    await lost?.thread.terminate()
  }

  /** Resolves with what the thread tells of its task; null: it was lost. */
  const outcomeOf = async (task: EngineTask, onRunning: () => void) => {
    current ??= start()
    const { thread, whenReady } = current
    return await new Promise<Outcome | null>((resolve) => {
      const lose = () => resolve(null)
      thread.once('error', lose)
      thread.once('exit', lose)
      thread.on('message', (message: EngineMessage) => {
        if (message === 'running') onRunning()
        else if (message !== 'ready') resolve(message)
      })
      void whenReady.then(() => thread.postMessage(task))
    }).finally(() => {
      for (const event of ['error', 'exit', 'message']) thread.removeAllListeners(event)
      // An error that has no listener ends the process.
      thread.on('error', () => {})
    })
  }

  return {
    run: (task, signal) => {
      let isRunning = false
      const cancel = () => current?.thread.postMessage('cancel')
      signal?.addEventListener('abort', cancel)
      const outcome = outcomeOf(task, () => {
        isRunning = true
      })
      const ended = withTimeout(outcome, task.deadlineMs + ENDED_AFTER_MS).then(async (told) => {
        signal?.removeEventListener('abort', cancel)
        if (told === null) await stop()
      })
      return {
        result: resultOf(outcome, { signal, task, lost: () => (isRunning ? outOfMemory() : tooComplex()) }),
        ended,
      }
    },
    stop,
  }
}

type Outcome = Exclude<EngineMessage, string>

/** The result as its client gets it: in time, or not at all. */
async function resultOf(
  outcome: Promise<Outcome | null>,
  { signal, task, lost }: { signal: AbortSignal | undefined; task: EngineTask; lost: () => QueryFailed },
): Promise<WrittenAnswer | Plan> {
  signal?.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort)
  })
  const { deadlineMs } = task
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(deadlineMs)), deadlineMs + GRACE_MS)
  })
  try {
    const told = await Promise.race([outcome, aborted, late])
    if (told === null) throw lost()
    if ('failure' in told) throw new QueryFailed(told.failure)
    return told.result
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

function tooComplex(): QueryFailed {
  return new QueryFailed({ kind: 'refused', message: 'The query is too complex; write it in fewer levels.' })
}

function outOfMemory(): QueryFailed {
  return new QueryFailed({ kind: 'limit', message: 'The answer takes more memory than an answer may have.' })
}
