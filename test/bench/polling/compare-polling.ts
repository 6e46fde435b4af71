import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { medianOf } from '../figures/statistics.ts'

/** Clients, each with a connection of its own, that ask for one URL each second. */
const CLIENTS = 10
/**
 * Blocks of a round, and the seconds from one to the next. What is compared is measured in turns, as what else the process does
 * changes with time; each round has as many blocks, as a block costs more than all polls of two seconds.
 */
const BLOCKS = 4
const BLOCK_SECONDS = 2

interface PollingOptions {
  url: string
  rounds: number
  /** Mines a block. Nothing else may mine meanwhile. */
  mine(): Promise<void>
  /** The processor time of the service so far, seconds. */
  readCpu(): number
}

/** Processor time of the service in a round, seconds: of each way to poll. */
interface PollingCost {
  /** Without clients. */
  idle: number
  without: number
  withTags: number
}

/**
 * Processor time of the service for ten clients that poll a URL without and with tags, beside none: medians of the rounds.
 * Example: `{ idle: 0.31, without: 0.92, withTags: 0.41 }`.
 */
export async function comparePolling({ url, rounds, mine, readCpu }: PollingOptions): Promise<PollingCost> {
  const agent = new Agent()
  const { tag } = await get(url, agent, {})
  if (tag === undefined) throw new Error(`${url} has no tag`)
  let unchanged = 0
  const arms = {
    idle: async () => {},
    without: async () => {
      await poll(url, null)
    },
    withTags: async () => {
      unchanged += await poll(url, tag)
    },
  }
  const measureRound = async (arm: () => Promise<void>) => {
    const before = readCpu()
    await Promise.all([arm(), mineSteadily(mine)])
    return readCpu() - before
  }
  // Code that has run often enough is compiled.
  for (const arm of Object.values(arms)) await measureRound(arm)
  const costs = { idle: [] as number[], without: [] as number[], withTags: [] as number[] }
  unchanged = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['idle', 'without', 'withTags'] as const) costs[name].push(await measureRound(arms[name]))
  }
  const polls = rounds * BLOCKS * BLOCK_SECONDS * CLIENTS
  if (unchanged < polls * 0.8) throw new Error(`too few 304: ${unchanged} of ${polls}`)
  return { idle: medianOf(costs.idle), without: medianOf(costs.without), withTags: medianOf(costs.withTags) }
}

/** Mines the blocks of a round, each in the middle of its time. */
async function mineSteadily(mine: () => Promise<void>): Promise<void> {
  for (let block = 0; block < BLOCKS; block += 1) {
    await pause((BLOCK_SECONDS * 1_000) / 2)
    await mine()
    await pause((BLOCK_SECONDS * 1_000) / 2)
  }
}

/** Lets the clients poll for a round, spread over the second. @returns how many answers were 304 */
async function poll(url: string, firstTag: string | null): Promise<number> {
  let unchanged = 0
  const endsAt = performance.now() + BLOCKS * BLOCK_SECONDS * 1_000
  const pollAsClient = async (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let tag = firstTag
    await pause((client * 1_000) / CLIENTS)
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      const answer = await get(url, agent, tag === null ? {} : { 'If-None-Match': tag })
      if (answer.status === 304) unchanged += 1
      if (tag !== null) tag = answer.tag ?? tag
      await pause(Math.max(0, 1_000 - (performance.now() - startedAt)))
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => pollAsClient(client)))
  return unchanged
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
