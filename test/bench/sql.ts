/**
 * `npm run bench -- sql`: what analysts' SQL costs, beside the same statements on a connection that stays open; and how
 * `GET /tasks` answers while hostile queries run over HTTP, while six clients ask for answers of 16 MB, and while hostile
 * queries run on the reader's own login, beside its quiet self.
 * Prints a table and writes docs/benchmarks/sql-<date>.json.
 *
 *   --tasks 100000   another number of tasks
 *   --quick          small samples, nothing written
 */
import { parseArgs } from 'node:util'
import { endLeftovers, endOwnProcesses } from '../../ops/process/process-registry.ts'
import { onStopRequest } from '../../scripts/stack/stop-request.ts'
import { saveRecord } from './figures/record.ts'
import { createSeededRandom, show } from './figures/statistics.ts'
import { closeConnections } from './reads/http-get.ts'
import { measureAnswers, measureBystander } from './sql/measure.ts'
import { startSqlServers } from './sql/sql-servers.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { quick: { type: 'boolean', default: false }, tasks: { type: 'string', default: '100000' } },
})

const seed = 20_260_101
const tasks = Number(values.tasks)
const samples = values.quick
  ? { answers: { blocks: 3, requests: 10 }, bystander: { blocks: 2, windowMs: 3_000 } }
  : { answers: { blocks: 10, requests: 20 }, bystander: { blocks: 8, windowMs: 8_000 } }

onStopRequest(async () => {
  await endOwnProcesses()
  process.exit(130)
})

await endLeftovers()
const random = createSeededRandom(seed)
const servers = await startSqlServers(tasks, (line) => console.log(line))
try {
  const answers = await measureAnswers(servers, { ...samples.answers, random })
  const bystander = await measureBystander(servers, { ...samples.bystander, random })
  const results = { answers, bystander }
  console.log('\nmilliseconds of a query: over HTTP, on an open connection, and the ratio')
  for (const { name, http, bare, ratio } of answers) {
    console.log(`  ${name.padEnd(34)} ${show(http)}   ${show(bare)}   ${show(ratio)}`)
  }
  console.log('\nGET /tasks: p99 in milliseconds quiet, under attack, and the ratio')
  for (const { name, quiet, attacked, ratio, failed } of bystander) {
    console.log(`  ${name.padEnd(34)} ${show(quiet)}   ${show(attacked)}   ${show(ratio)}   failed ${failed}`)
  }
  if (!values.quick)
    console.log(saveRecord('sql', { settings: { seed, tasks, samples, postgres: servers.postgres }, results }))
} finally {
  closeConnections()
  await servers.stop()
}
