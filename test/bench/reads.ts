/**
 * `npm run bench -- reads`: what `GET /tasks` costs with a thousand, a hundred thousand and a million tasks, by every
 * filter and sort, and its pages a second beside Ponder's own GraphQL and ours, standing, moving and at random places, and
 * beside a bare server that has nothing of ours; what inbox and action queue of wallets with a thousand and fifty thousand
 * tasks cost, and the leaderboard with as many agents; the bytes of a task, and what each index adds to storing a row. Prints the figures of reads, storage and leaderboard, and keeps them in
 * docs/internals/benchmarks/figures.json.
 *
 *   --part tasks          one of both parts: tasks, agents
 *   --sizes 1000,100000   other numbers of tasks and agents
 *   --only throughput     of the tasks only pages a second: throughput; or only the filters: cases; or the bytes: storage
 *   --quick               small samples, nothing written
 */

import { connectDatabase } from '../../api/db/client.ts'
import { readOptions } from '../../ops/process/read-options.ts'
import type { Figure } from '../../scripts/figures/figure.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { createSeededRandom } from './figures/statistics.ts'
import { listAgentCases } from './reads/agent-cases.ts'
import { type ReadServers, startAgentServers, startReadServers } from './reads/bench-servers.ts'
import { listCases } from './reads/cases.ts'
import { fetchGraphqlPage } from './reads/graphql-page.ts'
import { closeConnections, fetchBytes, fetchWhole } from './reads/http-get.ts'
import { anew, type Contender, measureCases, measureThroughput, type PageSource, type Sized } from './reads/measure.ts'
import { createMovingChain } from './reads/moving-chain.ts'
import { figuresOfThroughput } from './reads/report.ts'
import { NOW } from './reads/rows.ts'
import { measureStorage } from './reads/storage.ts'
import { storeListedTasks } from './reads/stored-fragments.ts'
import { measureWorklists } from './reads/worklists.ts'

const { values } = readOptions({
  options: {
    quick: { type: 'boolean', default: false },
    part: { type: 'string', default: 'tasks,agents' },
    only: { type: 'string' },
    sizes: { type: 'string', default: '1000,100000,1000000' },
  },
})

const sizes = values.sizes.split(',').map(Number)
const parts = values.part.split(',')
const seed = 20_260_101
const samples = values.quick
  ? { cases: { blocks: 3, requests: 5 }, throughput: { blocks: 2, milliseconds: 1_000, inFlight: 8 } }
  : { cases: { blocks: 10, requests: 10 }, throughput: { blocks: 8, milliseconds: 4_000, inFlight: 16 } }

await beginBenchmark()
const random = createSeededRandom(seed)
if (parts.includes('tasks')) await measureTasks()
if (parts.includes('agents')) await measureAgents()

async function measureTasks(): Promise<void> {
  const servers = await startReadServers(sizes, (line) => console.log(line))
  const { only } = values
  await withPools(servers, async (pools) => {
    const figures: Figure[] = []
    if (only === undefined || only === 'throughput') {
      const rates = await measureThroughput(await listSources(servers, pools), samples.throughput)
      figures.push(...figuresOfThroughput(rates, random))
    }
    if (only === undefined || only === 'cases') {
      figures.push(...(await measureCases(pools, listCases, { ...samples.cases, random })))
    }
    const largest = pools.at(-1)
    if ((only === undefined || only === 'storage') && largest !== undefined) {
      report('storage', servers, await measureStorage(largest, random))
      if (only === 'storage') return
    }
    // Last, because it adds tasks to the smallest database.
    const [smallest] = pools
    if (only === undefined && smallest !== undefined) {
      figures.push(...(await measureWorklists(smallest, samples.cases)))
    }
    report('reads', servers, figures)
  })
}

/** All over the largest database. */
async function listSources(servers: ReadServers, pools: readonly Sized[]): Promise<Record<Contender, PageSource>> {
  const largest = pools.at(-1)
  if (largest === undefined) throw new Error('there is no database')
  const url = `${largest.url}/api/tasks`
  const tags = new Map<string, string>()
  // The page changes when tasks do.
  const fetchTagged = async (from: string) => {
    const answer = await fetchWhole(from, { 'If-None-Match': tags.get(from) ?? '""' }, { statuses: [200, 304] })
    tags.set(from, answer.etag)
  }
  const [times] = await largest.sql<{ first: bigint; last: bigint }[]>`
    select min(created_at_ms) as first, max(created_at_ms) as last from task where listed`
  const { first = 0n, last = 0n } = times ?? {}
  const somewhere = () => first + BigInt(Math.floor(random() * Number(last - first)))
  const cursor = () => new Date(Number(somewhere())).toISOString()
  const { databaseUrl = '' } = servers.sizes.get(largest.size) ?? {}
  const stored = await storeListedTasks(databaseUrl, largest.sql)
  const during = createMovingChain(largest.sql, servers.mine, NOW).move
  return {
    service: { page: () => fetchBytes(url) },
    anew: { page: () => fetchBytes(anew(url)) },
    moving: { page: () => fetchBytes(anew(url)), during },
    cold: { page: () => fetchBytes(`${url}?cursor=${cursor()}`) },
    coldFirst: { page: () => fetchBytes(`${url}?cursor=${cursor()}`), during: stored.forget },
    bare: { page: () => fetchBytes(servers.bareUrl) },
    bareSame: { page: () => fetchBytes(`${servers.bareUrl}same`) },
    constant: { page: () => fetchBytes(`${servers.bareUrl}constant`) },
    tagged: { page: () => fetchTagged(url) },
    constantTagged: { page: () => fetchTagged(`${servers.bareUrl}constant`) },
    graphql: { page: () => fetchGraphqlPage(servers.ponderUrl) },
    graphqlMoving: { page: () => fetchGraphqlPage(servers.ponderUrl), during },
    graphqlCold: { page: () => fetchGraphqlPage(servers.ponderUrl, somewhere()) },
    ownGraphql: { page: () => fetchGraphqlPage(servers.graphqlUrl) },
  }
}

async function measureAgents(): Promise<void> {
  const servers = await startAgentServers(sizes, (line) => console.log(line))
  await withPools(servers, async (pools) => {
    report('leaderboard', servers, await measureCases(pools, listAgentCases, { ...samples.cases, random }))
  })
}

/** Runs `measure` on the servers and a connection to each of their databases, and ends all of them. */
async function withPools(
  servers: Pick<ReadServers, 'sizes' | 'stop'>,
  measure: (pools: readonly Sized[]) => Promise<void>,
): Promise<void> {
  const pools = [...servers.sizes].map(([size, { databaseUrl, url }]) => ({
    size,
    url,
    sql: connectDatabase({ url: databaseUrl, max: 1 }),
  }))
  try {
    await measure(pools)
  } finally {
    closeConnections()
    await Promise.all(pools.map(({ sql }) => sql.end()))
    await servers.stop()
  }
}

function report(name: string, { postgres }: Pick<ReadServers, 'postgres'>, figures: readonly Figure[]): void {
  // A part of the figures would replace all of them.
  const isQuick = values.quick || (values.only !== undefined && values.only !== name)
  tellFigures(name, figures, { isQuick, seed, sizes, samples, postgres })
}
