/**
 * `npm run bench -- reads`: what `GET /tasks` costs with a thousand, a hundred thousand and a million tasks, by every
 * filter and sort, and its pages a second beside Ponder's own GraphQL and a bare server with the same statements.
 * Prints a table and writes docs/benchmarks/reads-<date>.json.
 *
 *   --sizes 1000,100000   other numbers of tasks
 *   --quick               small samples, nothing written
 */
import { parseArgs } from 'node:util'
import { connectDatabase } from '../../api/db/client.ts'
import { endLeftovers, endOwnProcesses } from '../../ops/process/process-registry.ts'
import { onStopRequest } from '../../scripts/stack/stop-request.ts'
import { saveRecord } from './figures/record.ts'
import { createSeededRandom } from './figures/statistics.ts'
import { startReadServers } from './reads/bench-servers.ts'
import { fetchGraphqlPage } from './reads/graphql-page.ts'
import { closeConnections, fetchBytes } from './reads/http-get.ts'
import { anew, measureCases, measureThroughput } from './reads/measure.ts'
import { toTable } from './reads/report.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { quick: { type: 'boolean', default: false }, sizes: { type: 'string', default: '1000,100000,1000000' } },
})

const sizes = values.sizes.split(',').map(Number)
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
const servers = await startReadServers(sizes, (line) => console.log(line))
const pools = [...servers.sizes].map(([tasks, { databaseUrl, url }]) => ({
  tasks,
  url,
  sql: connectDatabase({ url: databaseUrl, marketSchema: 'market', max: 1 }),
}))
try {
  const cases = await measureCases(pools, { ...samples.cases, random })
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
  const results = { cases, throughput }
  console.log(`\n${toTable(results)}\n`)
  if (!values.quick)
    console.log(saveRecord('reads', { settings: { seed, sizes, samples, postgres: servers.postgres }, results }))
} finally {
  closeConnections()
  await Promise.all(pools.map(({ sql }) => sql.end()))
  await servers.stop()
}
