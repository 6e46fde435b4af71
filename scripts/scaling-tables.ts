/** The tables of docs/scaling.md: what was measured, and what follows from it for loads that were not. */

interface Median {
  median: number
}

interface Kept<Results> {
  /** The record's file name. */
  file: string
  results: Results
}

/** The parts of the kept benchmarks that the tables are made of. */
export interface Measured {
  reads: Kept<{ throughput: Record<'service' | 'anew' | 'moving' | 'cold', Median> }>
  storage: Kept<{
    tableBytesPerTask: number
    indexBytesPerTask: number
    tasks: number
    largestIndexes: { name: string; table: string; bytesPerTask: number }[]
    indexWrites: { name: string; table: string; microseconds: Median & { low: number; high: number } }[]
  }>
  writes: Kept<{
    throughput: { indexer: Median }
    steadyThroughput: { service: Median }
    bytes: { servicePerWrite: number; historyPerEvent: number }
  }>
  indexing: Kept<{ backfill: { full: Median } }> & {
    settings: { events: number; tasks: number }
  }
  uploads: Kept<{ json: { bytesPerSecond: number }; put: { bytesPerSecond: number } }>
  idle: Kept<{ total: number }>
  /** Gas of a paid acceptance with a token bonus, the dearest of the frequent writes (`contracts/snapshots/`). */
  gasPerWrite: number
}

/** Blocks of chain 8453: their interval and the gas of one. Source: the network's page on throughput and limits. */
const CHAIN = { blockSeconds: 2, blockGas: 400_000_000 }
/** Transactions of one sender that a node's pool keeps for certain; the default of the usual nodes. */
const POOL_SLOTS = 16
/** Connections of one API process to the primary: two pools (`api/db/client.ts`) and the one that listens. */
const CONNECTIONS = 24 + 8 + 1
/** The load that the multiples are of. A task has four writes: create, submit, accept, rate. */
const BASE = { tasksPerSecond: 0.1, writesPerTask: 4, pagesPerSecond: 10 }
const MULTIPLES = [1, 10, 100, 1_000]
/** Share of a core that is planned for: what is above it is for peaks. */
const PLANNED_SHARE = 0.5
const SECONDS_A_YEAR = 365 * 86_400

/** What one core does of each job. */
export function capacityTable(measured: Measured): string {
  const { reads, writes, indexing, uploads, idle } = measured
  const { throughput } = reads.results
  const eventsPerTask = indexing.settings.events / indexing.settings.tasks
  const rows = [
    ['pages of tasks that all ask for, a second', round(throughput.service.median), reads.file],
    ['pages of tasks never asked before, a second', round(throughput.anew.median), reads.file],
    ['the same while each second a block changes 5 of the newest 100', round(throughput.moving.median), reads.file],
    ['pages at a random place of the list, a second', round(throughput.cold.median), reads.file],
    ['paid writes a second, a block every 2 s', round(writes.results.steadyThroughput.service.median), writes.file],
    [
      'blocks of one transaction that the indexer stores a second, behind the head',
      round(writes.results.throughput.indexer.median),
      writes.file,
    ],
    [
      `events indexed a second, from an empty database (a task has ${eventsPerTask.toFixed(1)})`,
      round(1 / secondsPerEvent(measured)),
      indexing.file,
    ],
    ['MB of files received a second, inside JSON', round(uploads.results.json.bytesPerSecond / 1e6), uploads.file],
    ['MB of files received a second, by PUT', round(uploads.results.put.bytesPerSecond / 1e6), uploads.file],
    ['an idle stack, percent of a core', idle.results.total.toFixed(1), idle.file],
  ]
  return toTable(['job', 'one core', 'measured in'], rows)
}

/** What the multiples are of, and what is taken as given. */
export function assumptions({ gasPerWrite }: Measured): string {
  const tasks = group(Math.round(BASE.tasksPerSecond * 86_400))
  return [
    `The base is ${tasks} tasks a day with ${BASE.writesPerTask} writes each (create, submit, accept, rate) at ${group(gasPerWrite)} gas, that of an`,
    `acceptance with a token bonus, and ${BASE.pagesPerSecond} pages a second. ${percent(PLANNED_SHARE)} of each core is planned for, the rest is for peaks. Chain`,
    `8453 has a block every ${CHAIN.blockSeconds} s with ${group(CHAIN.blockGas)} gas; a node keeps ${POOL_SLOTS} transactions of one sender for certain.`,
  ].join('\n')
}

/** What each multiple of the base load needs. */
export function stepTable(measured: Measured): string {
  const steps = MULTIPLES.map((multiple) => needsOf(measured, multiple))
  const row = (name: string, of: (needs: Needs) => string) => [name, ...steps.map(of)]
  return toTable(
    ['', ...MULTIPLES.map((multiple) => `${group(multiple)} x`)],
    [
      row('new tasks a second', ({ tasks }) => String(Number(tasks.toFixed(2)))),
      row('writes a second', ({ writes }) => String(Number(writes.toFixed(2)))),
      row('transactions a block of the chain', ({ transactions }) => group(Math.ceil(transactions))),
      row('share of the chain’s gas', ({ gasShare }) => percent(gasShare)),
      row('relayer keys', ({ keys }) => group(keys)),
      row('pages a second, none in a cache', ({ pages }) => group(pages)),
      row('cores of the API for writes', ({ writeCores }) => round(writeCores)),
      row('cores of the API for pages', ({ readCores }) => round(readCores)),
      row('API processes', ({ processes }) => group(processes)),
      row('their connections to the primary', ({ connections }) => group(connections)),
      row('the indexer’s core, busy with events', ({ indexerShare }) => percent(indexerShare)),
      row('new tasks a year', ({ tasksAYear }) => `${round(tasksAYear / 1e6)} million`),
      row('growth a year of what is measured below', ({ bytesAYear }) => `${round(bytesAYear / 1e9)} GB`),
      row('to index a year again, hours', ({ reindexHours }) => round(reindexHours)),
    ],
  )
}

/** The largest indexes, by what they take for each task. */
export function indexTable({ storage, writes }: Measured): string {
  const { tableBytesPerTask, indexBytesPerTask, tasks, largestIndexes, indexWrites } = storage.results
  const { servicePerWrite, historyPerEvent } = writes.results.bytes
  const bytes = (value: number) => group(Math.round(value))
  const rows = largestIndexes.map(({ name, table, bytesPerTask }) => [
    `\`${name}\``,
    `\`${table}\``,
    bytesPerTask.toFixed(0),
  ])
  return [
    `A database of ${group(tasks)} tasks takes ${bytes(tableBytesPerTask)} bytes for each of them in tables and ${bytes(indexBytesPerTask)} in indexes (${storage.file}): the task, its entries, awards and texts. Each write adds ${bytes(servicePerWrite)} bytes of the service, each event of a task ${bytes(historyPerEvent)} of the history that is served (${writes.file}). The indexer’s own copy of final blocks (\`ponder_sync\`) comes on top; it can be dropped and fetched again, and is not measured. The largest indexes:`,
    '',
    toTable(['index', 'table', 'bytes a task'], rows),
    '',
    'What each index that is no key adds to storing a row of its table, beside all others, with the interval that holds the median in 95 of 100 cases. PostgreSQL merges new entries of words and tags (GIN) later, which is not in it:',
    '',
    toTable(
      ['index', 'table', 'microseconds'],
      indexWrites.map(({ name, table, microseconds }) => [
        `\`${name}\``,
        `\`${table}\``,
        `${microseconds.median.toFixed(1)} [${microseconds.low.toFixed(1)}, ${microseconds.high.toFixed(1)}]`,
      ]),
    ),
  ].join('\n')
}

type Needs = ReturnType<typeof needsOf>

function needsOf(measured: Measured, multiple: number) {
  const { reads, storage, writes, indexing } = measured
  const tasks = BASE.tasksPerSecond * multiple
  const perSecond = tasks * BASE.writesPerTask
  const pages = BASE.pagesPerSecond * multiple
  const transactions = perSecond * CHAIN.blockSeconds
  const eventsPerTask = indexing.settings.events / indexing.settings.tasks
  const eventSeconds = secondsPerEvent(measured)
  const writeCores = perSecond / writes.results.steadyThroughput.service.median
  const readCores = pages / reads.results.throughput.moving.median
  const processes = Math.max(1, Math.ceil((writeCores + readCores) / PLANNED_SHARE))
  const { tableBytesPerTask, indexBytesPerTask } = storage.results
  const { servicePerWrite, historyPerEvent } = writes.results.bytes
  const bytesPerTask =
    tableBytesPerTask + indexBytesPerTask + BASE.writesPerTask * servicePerWrite + eventsPerTask * historyPerEvent
  const tasksAYear = tasks * SECONDS_A_YEAR
  return {
    tasks,
    writes: perSecond,
    pages,
    transactions,
    gasShare: (transactions * measured.gasPerWrite) / CHAIN.blockGas,
    keys: Math.max(2, Math.ceil(transactions / POOL_SLOTS)),
    writeCores,
    readCores,
    processes,
    connections: processes * CONNECTIONS,
    indexerShare: tasks * eventsPerTask * eventSeconds,
    tasksAYear,
    bytesAYear: tasksAYear * bytesPerTask,
    reindexHours: (tasksAYear * eventsPerTask * eventSeconds) / 3_600,
  }
}

/** Of the indexer's one core, while it has nothing but events to do. */
function secondsPerEvent({ indexing: { results, settings } }: Measured): number {
  return results.backfill.full.median / 1_000 / settings.events
}

/** Two significant digits: no figure here is known better. */
function round(value: number): string {
  return group(Number(value.toPrecision(2)))
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`
}

function group(value: number): string {
  return value.toLocaleString('en-US')
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}
