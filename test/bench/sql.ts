/**
 * `npm run bench -- sql`: what analysts' SQL costs, beside the same statements on a connection that stays open; and how
 * `GET /tasks` answers while hostile queries run over HTTP, while six clients ask for answers of 16 MB, and while hostile
 * queries run on the reader's own login, beside its quiet self.
 * Prints figures and keeps them in docs/internals/benchmarks/figures.json.
 *
 *   --tasks 100000   another number of tasks
 *   --quick          small samples, nothing written
 */

import { readOptions } from '../../ops/process/read-options.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { createSeededRandom } from './figures/statistics.ts'
import { closeConnections } from './reads/http-get.ts'
import { measureAnswers, measureBystander } from './sql/measure.ts'
import { startSqlServers } from './sql/sql-servers.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false }, tasks: { type: 'string', default: '100000' } },
})

const seed = 20_260_101
const tasks = Number(values.tasks)
const samples = values.quick
  ? { answers: { blocks: 3, requests: 10 }, bystander: { blocks: 2, windowMs: 3_000 } }
  : { answers: { blocks: 10, requests: 20 }, bystander: { blocks: 8, windowMs: 8_000 } }

await beginBenchmark()
const random = createSeededRandom(seed)
const servers = await startSqlServers(tasks, (line) => console.log(line))
try {
  const answers = await measureAnswers(servers, { ...samples.answers, random })
  const bystander = await measureBystander(servers, { ...samples.bystander, random })
  tellFigures('sql', [...bystander, ...answers], {
    isQuick: values.quick,
    seed,
    tasks,
    samples,
    postgres: servers.postgres,
  })
} finally {
  closeConnections()
  await servers.stop()
}
