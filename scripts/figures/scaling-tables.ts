/**
 * The tables of docs/internals/scaling.md. They contain measured figures, and estimates for loads that were not
 * measured.
 */

import { toTable } from './markdown-table.ts'
import type { ReadFigure } from './open-figures.ts'

/** The measured figures from which the tables are computed. */
export interface Measured {
  figure: ReadFigure
  /**
   * Gas of a paid acceptance with a token bonus. Of the frequent writes, this one costs the most gas
   * (`contracts/snapshots/`).
   */
  gasPerWrite: number
}

/**
 * Blocks of chain 8453 (Base): the interval between two blocks, and the gas limit of a block. Source: the network's
 * page on throughput and limits.
 */
const CHAIN = { blockSeconds: 2, blockGas: 400_000_000 }
/**
 * Number of pending transactions of one sender that a node's pool certainly keeps. It is the default of the usual
 * nodes.
 */
const POOL_SLOTS = 16
/**
 * Number of connections of one API process to the primary database: two pools (`api/db/client.ts`), and one connection
 * for notifications.
 */
const CONNECTIONS = 24 + 8 + 1
/**
 * The base load. The other loads are multiples of it (`MULTIPLES`). A task has four writes: create, submit, accept,
 * rate.
 */
const BASE = { tasksPerSecond: 0.1, writesPerTask: 4, pagesPerSecond: 10 }
const MULTIPLES = [1, 10, 100]
/** Share of a core that may be used on average. The rest of the core is reserved for peaks. */
const PLANNED_SHARE = 0.5
const SECONDS_A_YEAR = 365 * 86_400

const KEPT = 'bytes kept a task with four writes, a year after the last'
const MOVING = 'pages never asked before while each second a block changes 5 of the newest 100, a second'

/** The kinds of work whose capacity is measured on one core. Each entry is a benchmark and the name of its figure. */
const jobs = [
  ['reads', 'pages of tasks that all ask for, a second'],
  ['reads', 'pages of tasks never asked before, a second'],
  ['reads', MOVING],
  ['reads', 'pages at a random place of the list, a second'],
  ['writes', 'paid writes a second, blocks 2 s apart'],
  ['writes', 'blocks of one transaction indexed a second'],
  ['uploads', 'MB a second of JSON bodies'],
  ['uploads', 'MB a second of PUTs'],
] as const

/** Renders the table of the capacity of one core, for each kind of work. */
export function capacityTable(measurements: Measured): string {
  const { figure } = measurements
  const rows = [
    ...jobs.map(([benchmark, name]) => [name, round(figure(benchmark, name)), benchmark]),
    [
      `events indexed a second, from an empty database (a task has ${eventsPerTask(measurements).toFixed(1)})`,
      round(1 / secondsPerEvent(measurements)),
      'indexing',
    ],
    ['an idle stack, percent of a core', figure('idle', 'an idle stack, percent of a core').toFixed(1), 'idle'],
  ]
  return toTable(['job', 'one core', 'benchmark'], rows)
}

/** Renders the text about the base load and the assumptions of the estimates. */
export function assumptions({ gasPerWrite }: Measured): string {
  const tasks = group(Math.round(BASE.tasksPerSecond * 86_400))
  return [
    `The base is ${tasks} tasks a day with ${BASE.writesPerTask} writes each (create, submit, accept, rate) at ${group(gasPerWrite)} gas, that of an`,
    `acceptance with a token bonus, and ${BASE.pagesPerSecond} pages a second. ${percent(PLANNED_SHARE)} of each core is planned for, the rest is for peaks. Chain`,
    `8453 has a block every ${CHAIN.blockSeconds} s with ${group(CHAIN.blockGas)} gas; a node keeps ${POOL_SLOTS} transactions of one sender for certain.`,
  ].join('\n')
}

/** Renders the table of the machines that each multiple of the base load needs. */
export function stepTable(measurements: Measured): string {
  const steps = MULTIPLES.map((multiple) => needsOf(measurements, multiple))
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
      row('growth a year', ({ bytesAYear }) => `${round(bytesAYear / 1e9)} GB`),
      row('to index a year again, hours', ({ reindexHours }) => round(reindexHours)),
    ],
  )
}

type Needs = ReturnType<typeof needsOf>

function needsOf(measurements: Measured, multiple: number) {
  const { figure } = measurements
  const tasks = BASE.tasksPerSecond * multiple
  const perSecond = tasks * BASE.writesPerTask
  const pages = BASE.pagesPerSecond * multiple
  const transactions = perSecond * CHAIN.blockSeconds
  const events = eventsPerTask(measurements)
  const eventSeconds = secondsPerEvent(measurements)
  const writeCores = perSecond / figure('writes', 'paid writes a second, blocks 2 s apart')
  const readCores = pages / figure('reads', MOVING)
  const processes = Math.max(1, Math.ceil((writeCores + readCores) / PLANNED_SHARE))
  const bytesPerTask = figure('kept', KEPT)
  const tasksAYear = tasks * SECONDS_A_YEAR
  return {
    tasks,
    writes: perSecond,
    pages,
    transactions,
    gasShare: (transactions * measurements.gasPerWrite) / CHAIN.blockGas,
    keys: Math.max(2, Math.ceil(transactions / POOL_SLOTS)),
    writeCores,
    readCores,
    processes,
    connections: processes * CONNECTIONS,
    indexerShare: tasks * events * eventSeconds,
    tasksAYear,
    bytesAYear: tasksAYear * bytesPerTask,
    reindexHours: (tasksAYear * events * eventSeconds) / 3_600,
  }
}

/** Returns the average number of events of a task, in the history that the benchmark `indexing` uses. */
function eventsPerTask({ figure }: Measured): number {
  return figure('indexing', 'events of the backfill') / figure('indexing', 'tasks of the backfill')
}

/** Returns the number of seconds that the indexer needs for an event, on one core under full load. */
function secondsPerEvent({ figure }: Measured): number {
  return figure('indexing', 'backfill, ms') / 1_000 / figure('indexing', 'events of the backfill')
}

/** Rounds a number to two significant digits. The figures are not more exact than that. */
function round(value: number): string {
  return group(Number(value.toPrecision(2)))
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`
}

function group(value: number): string {
  return value.toLocaleString('en-US')
}
