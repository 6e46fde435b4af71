import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** Clients, each with a connection of its own, that ask for one URL each second. */
const CLIENTS = 10
/** What else the process does changes with time: what is compared is measured in turns. */
const ROUNDS = 10

interface PollingOptions {
  url: string
  /** The tag that they have when they begin; null: they send none. */
  firstTag: string | null
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
async function measurePolling({ url, firstTag, seconds, readCpu }: PollingOptions): Promise<PollingCost> {
  const statuses = new Map<number, number>()
  const before = readCpu()
  const endsAt = performance.now() + seconds * 1_000
  const poll = async (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let tag = firstTag
    await pause((client * 1_000) / CLIENTS)
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      const answer = await get(url, agent, tag === null ? {} : { 'If-None-Match': tag })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (tag !== null) tag = answer.tag ?? tag
      await pause(Math.max(0, 1_000 - (performance.now() - startedAt)))
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => poll(client)))
  return { cpu: readCpu() - before, statuses }
}

/**
 * Processor time of the service for ten clients that poll a URL without and with tags, beside none, seconds.
 * Example: `{ without: 1.9, withTags: 0.3 }`.
 */
export async function comparePolling({ url, seconds, readCpu }: Omit<PollingOptions, 'firstTag'>) {
  const agent = new Agent()
  const { tag } = await get(url, agent, {})
  if (tag === undefined) throw new Error(`${url} has no tag`)
  const measure = async (firstTag: string | null, time: number) =>
    await measurePolling({ url, firstTag, seconds: time, readCpu })
  // Code that has run often enough is compiled.
  for (const firstTag of [null, tag]) await measure(firstTag, seconds / 4)
  const sums = { idle: 0, without: 0, withTags: 0 }
  let unchanged = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = readCpu()
    await pause((seconds / ROUNDS) * 1_000)
    sums.idle += readCpu() - before
    sums.without += (await measure(null, seconds / ROUNDS)).cpu
    const { cpu, statuses } = await measure(tag, seconds / ROUNDS)
    sums.withTags += cpu
    unchanged += statuses.get(304) ?? 0
  }
  if (unchanged < seconds * CLIENTS * 0.8) throw new Error(`too few 304: ${unchanged}`)
  return { without: sums.without - sums.idle, withTags: sums.withTags - sums.idle }
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
