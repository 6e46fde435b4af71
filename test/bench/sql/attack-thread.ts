import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

export interface HttpAttack {
  url: string
  queries: readonly string[]
}

/** Six clients that always have a query under way or waiting. Their answers are read in a thread of their own. */
const CLIENTS = 6

/** Runs the attack until the signal aborts. */
export async function attackOverHttp(attack: HttpAttack, signal: AbortSignal): Promise<void> {
  const thread = new Worker(new URL(import.meta.url), { workerData: attack })
  const ended = new Promise<void>((resolve, reject) => {
    thread.once('error', reject)
    thread.once('exit', () => resolve())
  })
  signal.addEventListener('abort', () => thread.postMessage('end'), { once: true })
  await ended
}

export interface Question {
  query: string
  client: string
  signal?: AbortSignal
}

/** Sends a query and reads its answer. */
export async function ask(url: string, { query, client, signal }: Question): Promise<void> {
  const response = await fetch(`${url}/api/sql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
    body: JSON.stringify({ query }),
    ...(signal !== undefined && { signal }),
  })
  for await (const _ of response.body ?? []);
}

async function run({ url, queries }: HttpAttack): Promise<void> {
  const ending = new AbortController()
  parentPort?.once('message', () => ending.abort())
  const { signal } = ending
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let sent = client; !signal.aborted; sent += 1) {
      const query = queries[sent % queries.length] ?? ''
      await ask(url, { query, client: `10.0.1.${client}`, signal }).catch(() => null)
    }
  })
  await Promise.all(clients)
}

if (!isMainThread) await run(workerData as HttpAttack)
