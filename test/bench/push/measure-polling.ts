import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** Clients, each with a connection of its own, that ask for one URL each second. */
const CLIENTS = 10

interface PollingOptions {
  url: string
  /** Whether they send the tag of their last answer. */
  sendsTags: boolean
  seconds: number
  /** The processor time of the service so far, seconds. */
  readCpu(): number
}

interface PollingCost {
  /** Processor time of the service, seconds. */
  cpu: number
  /** Answers by their status. */
  statuses: Map<number, number>
}

/** Measures what ten clients cost that ask for one URL each second, spread over the second. */
async function measurePolling({ url, sendsTags, seconds, readCpu }: PollingOptions): Promise<PollingCost> {
  const statuses = new Map<number, number>()
  const before = readCpu()
  const endsAt = performance.now() + seconds * 1_000
  const poll = async (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let tag: string | undefined
    await pause((client * 1_000) / CLIENTS)
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      const answer = await get(url, agent, sendsTags && tag !== undefined ? { 'If-None-Match': tag } : {})
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      tag = answer.tag ?? tag
      await pause(Math.max(0, 1_000 - (performance.now() - startedAt)))
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => poll(client)))
  return { cpu: readCpu() - before, statuses }
}

/**
 * Processor time of the service for ten clients that poll a URL without and with tags, beside none, seconds.
 * Example: `{ without: 1.9, withTags: 0.4 }`.
 */
export async function comparePolling({ url, seconds, readCpu }: Omit<PollingOptions, 'sendsTags'>) {
  // Code that has run often enough is compiled.
  for (const sendsTags of [false, true]) await measurePolling({ url, sendsTags, seconds: seconds / 4, readCpu })
  const before = readCpu()
  await pause(seconds * 1_000)
  const idle = readCpu() - before
  const without = await measurePolling({ url, sendsTags: false, seconds, readCpu })
  const withTags = await measurePolling({ url, sendsTags: true, seconds, readCpu })
  if ((withTags.statuses.get(304) ?? 0) < seconds * CLIENTS * 0.8) {
    throw new Error(`too few 304: ${JSON.stringify([...withTags.statuses])}`)
  }
  return { without: without.cpu - idle, withTags: withTags.cpu - idle }
}

function get(url: string, agent: Agent, headers: Record<string, string>) {
  return new Promise<{ status: number; tag: string | undefined }>((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      response.resume()
      response.once('end', () => resolve({ status: response.statusCode ?? 0, tag: response.headers.etag }))
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}
