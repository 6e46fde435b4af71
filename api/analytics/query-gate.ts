import { hash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { AdmittedQuery } from './find-refusal.ts'

/** The decision about a text; `position` counts its characters from 1. */
export type Verdict = AdmittedQuery | { message: string; position: number | null }

export interface ParseRequest {
  text: string
  schema: string
}

/** What the thread sends: first that it has loaded its parser, then a verdict for each text. */
export type ThreadMessage = 'ready' | Verdict

/** Decides which texts are run at all. */
export interface QueryGate {
  /**
   * What cannot be parsed is refused.
   * @param signal a text whose signal has aborted when its turn comes is not parsed
   * @throws Overloaded when too many texts wait to be parsed, and the signal's reason
   */
  check(text: string, signal?: AbortSignal): Promise<Verdict>
  stop(): Promise<void>
}

/** 8 kB parse in a few milliseconds, the first text of a thread in 100. */
const PARSE_LIMIT_MS = 2_000
/** A thread starts in 100 ms, and in seconds on a machine that has much else to do: that is no property of a text. */
const START_LIMIT_MS = 20_000
const MAX_WAITING = 64
const REMEMBERED_VERDICTS = 1_000
const THREAD = new URL('./parse-worker.ts', import.meta.url)
/** A deep stack for the recursion of a long query; little else. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64, stackSizeMb: 8 }
const TOO_COMPLEX: Verdict = {
  message: 'The query is too complex to be checked; write it in fewer levels.',
  position: null,
}

/**
 * A gate whose parser runs in a thread of its own: a text that breaks or delays the parser costs that thread, which is
 * then replaced, and no other text. A verdict is remembered under the full hash of the text.
 * @param schema the schema whose relations may be read
 * @param options.program of the thread
 */
export function createQueryGate(
  schema: string,
  { program = THREAD, parseLimitMs = PARSE_LIMIT_MS }: { program?: URL; parseLimitMs?: number } = {},
): QueryGate {
  const verdicts = new LRUCache<string, Verdict>({ max: REMEMBERED_VERDICTS })
  const inTurn = createSemaphore({
    atOnce: 1,
    maxWaiting: MAX_WAITING,
    fact: 'The service checks too many queries now',
  })
  let worker: { thread: Worker; whenReady: Promise<void> } | null = null
  /** Takes what becomes of the text that is being parsed; null: the thread is lost. */
  let settle: (answer: Verdict | null) => void = () => {}

  const start = () => {
    const thread = new Worker(program, { resourceLimits: THREAD_LIMITS, stderr: true })
    const lose = () => {
      if (thread === worker?.thread) settle(null)
    }
    const whenReady = new Promise<void>((resolve) => {
      thread.on('message', (answer: ThreadMessage) => {
        if (answer === 'ready') resolve()
        else settle(answer)
      })
    })
    thread.on('error', lose)
    thread.on('exit', lose)
    return { thread, whenReady }
  }

  const parse = (text: string) =>
    new Promise<Verdict | null>((resolve) => {
      worker ??= start()
      const { thread, whenReady } = worker
      let timer = setTimeout(() => settle(null), START_LIMIT_MS)
      let isSettled = false
      settle = (answer) => {
        isSettled = true
        clearTimeout(timer)
        settle = () => {}
        thread.unref()
        if (answer === null) {
          worker = null
          void thread.terminate()
        }
        resolve(answer)
      }
      thread.ref()
      void whenReady.then(() => {
        if (isSettled) return
        clearTimeout(timer)
        timer = setTimeout(() => settle(null), parseLimitMs)
        thread.postMessage({ text, schema } satisfies ParseRequest)
      })
    })

  return {
    check: async (text, signal) => {
      const key = hash('sha256', text)
      const known = verdicts.get(key)
      if (known !== undefined) return known
      const verdict = await inTurn(async () => {
        signal?.throwIfAborted()
        return await parse(text)
      })
      // Not remembered: the machine may have been slow.
      if (verdict === null) return TOO_COMPLEX
      verdicts.set(key, verdict)
      return verdict
    },
    stop: async () => {
      const running = worker
      worker = null
      await running?.thread.terminate()
    },
  }
}
