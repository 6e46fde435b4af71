/**
 * `npm run bench -- reads`: what `GET /tasks` costs with a thousand, a hundred thousand and a million tasks, by every
 * filter and sort, and its pages a second beside Ponder's own GraphQL and a bare server with the same statements; and
 * what inbox and action queue of wallets with a thousand and fifty thousand tasks cost, and the leaderboard with as many
 * agents. Prints tables and writes docs/benchmarks/reads-<date>.json, and
 * docs/benchmarks/leaderboard-<date>.json.
 *
 *   --part tasks          one of both parts: tasks, agents
 *   --sizes 1000,100000   other numbers of tasks and agents
 *   --quick               small samples, nothing written
 */
import { parseArgs } from 'node:util'
import { connectDatabase } from '../../api/db/client.ts'
import { endLeftovers, endOwnProcesses } from '../../ops/process/process-registry.ts'
import { onStopRequest } from '../../scripts/stack/stop-request.ts'
import { saveRecord } from './figures/record.ts'
import { createSeededRandom } from './figures/statistics.ts'
import { listAgentCases } from './reads/agent-cases.ts'
import { type ReadServers, startAgentServers, startReadServers } from './reads/bench-servers.ts'
import { listCases } from './reads/cases.ts'
import { fetchGraphqlPage } from './reads/graphql-page.ts'
import { closeConnections, fetchBytes } from './reads/http-get.ts'
import { anew, measureCases, measureThroughput, type Sized } from './reads/measure.ts'
import { toCaseTable, toThroughputTable, toWorklistTable } from './reads/report.ts'
import { measureWorklists } from './reads/worklists.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    quick: { type: 'boolean', default: false },
    part: { type: 'string', default: 'tasks,agents' },
    sizes: { type: 'string', default: '1000,100000,1000000' },
  },
})

const sizes = values.sizes.split(',').map(Number)
const parts = values.part.split(',')
const seed = 20_260_101
const samples = values.quick
  ? { cases: { blocks: 3, requests: 5 }, throughput: { blocks: 2, milliseconds: 1_000, inFlight: 8 } }
  : { cases: { blocks: 10, requests: 10 }, throughput: { blocks: 8, milliseconds: 4_000, inFlight: 16 } }

onStopRequest(async () => {
  await endOwnProcesses()
  process.exit(130)
})

await endLeftovers()
const random = createSeededRandom(seed)
if (parts.includes('tasks')) await measureTasks()
if (parts.includes('agents')) await measureAgents()

async function measureTasks(): Promise<void> {
  const servers = await startReadServers(sizes, (line) => console.log(line))
  await withPools(servers, async (pools) => {
    const cases = await measureCases(pools, listCases, { ...samples.cases, random })
    const largest = pools.at(-1)?.url ?? ''
    const throughput = await measureThroughput(
      {
        service: async () => (await fetchBytes(`${largest}/api/tasks`)).length,
        anew: async () => (await fetchBytes(anew(`${largest}/api/tasks`))).length,
        bare: async () => (await fetchBytes(servers.bareUrl)).length,
        graphql: () => fetchGraphqlPage(servers.graphqlUrl),
      },
      { ...samples.throughput, random },
    )
    // Last, because it adds tasks to the smallest database.
    const [smallest] = pools
    const worklists = smallest === undefined ? [] : await measureWorklists(smallest, samples.cases)
    const tables = [toCaseTable(cases), toThroughputTable(throughput), toWorklistTable(worklists)]
    report('reads', servers, tables.join('\n'), { cases, throughput, worklists })
  })
}

async function measureAgents(): Promise<void> {
  const servers = await startAgentServers(sizes, (line) => console.log(line))
  await withPools(servers, async (pools) => {
    const cases = await measureCases(pools, listAgentCases, { ...samples.cases, random })
    report('leaderboard', servers, toCaseTable(cases), { cases })
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
    sql: connectDatabase({ url: databaseUrl, marketSchema: 'market', max: 1 }),
  }))
  try {
    await measure(pools)
  } finally {
    closeConnections()
    await Promise.all(pools.map(({ sql }) => sql.end()))
    await servers.stop()
  }
}

function report(name: string, { postgres }: Pick<ReadServers, 'postgres'>, table: string, results: object): void {
  console.log(`\n${table}\n`)
  if (!values.quick) console.log(saveRecord(name, { settings: { seed, sizes, samples, postgres }, results }))
}
