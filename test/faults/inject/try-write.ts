import { setTimeout as pause } from 'node:timers/promises'
import type { Replica } from '../environment/replica.ts'

export interface TriedWrite {
  status: number
  milliseconds: number
  text: string
}

/** A write without a payment: its price is told after the state of the chain was read. */
async function tryWrite({ url }: Replica): Promise<TriedWrite> {
  const began = performance.now()
  const response = await fetch(`${url}/api/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ description: 'Name it', reward: '1000000', duration: 24, tags: [] }),
  })
  const text = await response.text()
  return { status: response.status, milliseconds: performance.now() - began, text }
}

/** Tries a write this often, whether or not the ones before were answered. @returns a function that ends it, with all answers */
export function startTrying(replica: Replica, everyMs: number): () => Promise<TriedWrite[]> {
  const stopping = new AbortController()
  const tries: Promise<TriedWrite>[] = []
  const trying = (async () => {
    while (!stopping.signal.aborted) {
      const tried = tryWrite(replica)
      // One without an answer is reported in the end.
      tried.catch(() => {})
      tries.push(tried)
      await pause(everyMs)
    }
  })()
  return async () => {
    stopping.abort()
    await trying
    return await Promise.all(tries)
  }
}
