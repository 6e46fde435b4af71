/**
 * `npm run bench -- indexing`: how long Ponder takes for a history of thousands of events of every mode with our
 * handlers, beside an app with the same config, tables and events whose handlers do nothing: wall time, and processor
 * time of Ponder's process, which another process on the machine changes less. Prints figures and keeps them in
 * docs/internals/benchmarks/figures.json.
 *
 *   --blocks 400    how long the history is
 *   --quick         two runs each on a short history, nothing written
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { readOptions } from '../../ops/process/read-options.ts'
import { startPostgres } from '../../scripts/postgres/postgres.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { counted, estimated } from './figures/figures.ts'
import { createSeededRandom, estimateMedian } from './figures/statistics.ts'
import { makeEmptyApp } from './indexing/empty-app.ts'
import { makeHistory } from './indexing/history.ts'
import { type IndexRun, indexOnce } from './indexing/index-once.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false }, blocks: { type: 'string', default: '400' } },
})
const seed = 20_260_101
const blocks = values.quick ? 20 : Number(values.blocks)
const pairs = values.quick ? 2 : 21

const app = makeEmptyApp()
await beginBenchmark(app.remove)
const directory = mkdtempSync(join(tmpdir(), 'task-market-bench-'))
const postgres = await startPostgres()
const history = await makeHistory(blocks, seed)
console.log(`${history.events} events of ${history.tasks} tasks in ${history.blocks} blocks`)
let runs = 0
const run = async (root: string): Promise<IndexRun> => {
  runs += 1
  const { url: rpcUrl, deploymentFile } = history.chain
  const databaseUrl = await postgres.createDatabase(`run_${runs}`)
  return await indexOnce({ root, databaseUrl, rpcUrl, deploymentFile, logFile: join(directory, `ponder-${runs}.log`) })
}
try {
  // Once each before it counts: what is compiled is cached.
  await run(repositoryRoot)
  await run(app.root)
  const full: IndexRun[] = []
  const empty: IndexRun[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const isFullFirst = pair % 2 === 0
    if (isFullFirst) full.push(await run(repositoryRoot))
    empty.push(await run(app.root))
    if (!isFullFirst) full.push(await run(repositoryRoot))
  }
  const random = createSeededRandom(seed)
  const estimates = (name: keyof IndexRun) => ({
    full: estimateMedian(
      full.map((one) => one[name]),
      random,
    ),
    empty: estimateMedian(
      empty.map((one) => one[name]),
      random,
    ),
    ratio: estimateMedian(
      full.map((one, pair) => one[name] / (empty[pair]?.[name] ?? Number.NaN)),
      random,
    ),
  })
  const { events, tasks } = history
  const [whole, backfill, cpu] = [estimates('whole'), estimates('backfill'), estimates('cpu')]
  const figures = [
    estimated('backfill, full model by empty handlers, wall time', backfill.ratio, { most: 1.25 }),
    estimated('from start to end, full model by empty handlers, processor time', cpu.ratio, { most: 1.25 }),
    estimated('from start to end, full model by empty handlers, wall time', whole.ratio),
    estimated('backfill, ms', backfill.full),
    counted('events of the backfill', events),
    counted('tasks of the backfill', tasks),
    counted('processor seconds for 1,000 events', cpu.full.median / events),
    counted('the same with empty handlers', cpu.empty.median / events),
  ]
  tellFigures('indexing', figures, { isQuick: values.quick, seed, pairs, blocks, postgres: postgres.origin })
} finally {
  app.remove()
  await history.chain.close()
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
