import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A request whose body is mostly bytes that it shares with others. */
export interface LargeRequest {
  url: string
  method: 'POST' | 'PUT'
  headers: Record<string, string>
  before: string
  shared: SharedArrayBuffer
  after: string
}

export interface SentRequest {
  /** 0: there was no answer, and `body` says why. */
  status: number
  body: string
}

export interface Senders {
  /** Sends all of them at the same time. @throws unless each is answered 200 */
  send(requests: readonly LargeRequest[]): Promise<void>
  stop(): Promise<void>
}

export function startSenders(): Senders {
  const thread = new Worker(new URL('./senders.ts', import.meta.url))
  return {
    send: async (requests) => {
      // An error of the thread is thrown here as well.
      const answered = once(thread, 'message') as Promise<[SentRequest[]]>
      thread.postMessage(requests)
      const [answers] = await answered
      const bad = answers.find(({ status }) => status !== 200)
      if (bad !== undefined) throw new Error(`a large request was answered ${bad.status}: ${bad.body}`)
    },
    stop: async () => {
      await thread.terminate()
    },
  }
}

/** Bytes that threads can share. */
export function toShared(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  return shared
}
