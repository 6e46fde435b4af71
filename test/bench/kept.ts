/**
 * `npm run bench -- kept`: the bytes that a task with four writes keeps in the database a year after the last of them. Real
 * writes of a stack are copied until there are as many tasks as `--tasks`, a part of them at a time; each part is changed as
 * often as a write is, aged, and vacuumed, as the service and the server do within a year. Prints figures and keeps them in
 * docs/internals/benchmarks/figures.json, with the rows of the read model as `npm run bench -- reads` measured them last.
 *
 *   --tasks 100000   another number of tasks
 *   --quick          2,000 tasks, nothing written
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { connectDatabase } from '../../api/db/client.ts'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { readOptions } from '../../ops/process/read-options.ts'
import { openFigures } from '../../scripts/figures/open-figures.ts'
import { startProgress } from '../../scripts/stack/progress.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { makeFourWrites } from './kept/four-writes.ts'
import { makeYear } from './kept/make-year.ts'
import { figuresOf } from './kept/report.ts'
import { startBenchStack } from './writes/bench-stack.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false }, tasks: { type: 'string', default: '100000' } },
})
const size = values.quick ? { tasks: 2_000, parts: 10 } : { tasks: Number(values.tasks), parts: 100 }

await beginBenchmark()
const progress = startProgress()
const stack = await progress.step(
  () => startBenchStack(''),
  ({ postgres }) => `a stack of its own is up, Postgres from ${postgres}`,
)
try {
  await progress.step(
    () => makeFourWrites(stack),
    () => 'two tasks with four writes each',
  )
  await stack.api().stop()
  await stack.indexer?.stop()
  const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
  const service = connectDatabase({ url: stack.logins.serviceUrl, max: 1, statementTimeoutMs: 60_000 })
  const year = await makeYear(sql, { ...size, deployment: stack.deployment, service, progress }).finally(() =>
    Promise.all([sql.end(), service.end()]),
  )
  const kept = openFigures(
    JSON.parse(readFileSync(join(repositoryRoot, 'docs', 'internals', 'benchmarks', 'figures.json'), 'utf8')),
  )
  const figures = figuresOf(year, {
    readModelBytes: kept('storage', 'bytes of tables a task') + kept('storage', 'bytes of indexes a task'),
  })
  tellFigures('kept', figures, { isQuick: values.quick, ...size, postgres: stack.postgres })
} finally {
  await stack.stop()
}
