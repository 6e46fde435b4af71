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
 * @param program of the thread
 */
export function createQueryGate(schema: string, program = THREAD): QueryGate {
  const verdicts = new LRUCache<string, Verdict>({ max: REMEMBERED_VERDICTS })
  const inTurn = createSemaphore({
    atOnce: 1,
    maxWaiting: MAX_WAITING,
    fact: 'The service checks too many queries now',
  })
  let worker: Worker | null = null
  /** Takes what becomes of the text that is being parsed; null: the thread is lost. */
  let settle: (answer: Verdict | null) => void = () => {}

  const start = () => {
    const thread = new Worker(program, { resourceLimits: THREAD_LIMITS, stderr: true })
    const lose = () => {
      if (thread === worker) settle(null)
    }
    thread.on('message', (answer: Verdict) => settle(answer))
    thread.on('error', lose)
    thread.on('exit', lose)
    return thread
  }

  const parse = (text: string) =>
    new Promise<Verdict | null>((resolve) => {
      worker ??= start()
      const thread = worker
      const timer = setTimeout(() => settle(null), PARSE_LIMIT_MS)
      settle = (answer) => {
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
      thread.postMessage({ text, schema } satisfies ParseRequest)
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
      await running?.terminate()
    },
  }
}
