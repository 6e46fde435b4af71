import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import { type CaseResult, type Contender, contenders, type Quotient, type ThroughputResult } from './measure.ts'
import type { StorageResult } from './storage.ts'
import type { WorklistResult } from './worklists.ts'

/** Lists what pages cost at the largest size by the smallest. */
export function figuresOfCases(cases: readonly CaseResult[]): Figure[] {
  return cases.map(({ name, ratio }) =>
    estimated(`${name}, p50 at the largest by the smallest size`, ratio, { most: 3 }),
  )
}

/** Lists what inbox and action queue cost a wallet with many tasks by one with few. */
export function figuresOfWorklists(worklists: readonly WorklistResult[]): Figure[] {
  return worklists.map(({ name, caller, ratio }) =>
    counted(`${name} for ${caller}, p50 of 50,000 tasks by 1,000`, ratio, { most: 3 }),
  )
}

const GRAPHQL = "by Ponder's GraphQL"
/** Quotients of pages a second: what each means, and what it should be at least. */
const quotients: Readonly<Record<Quotient, readonly [means: string, least: number]>> = {
  serviceByGraphql: [`a page that all ask for, ${GRAPHQL}`, 14],
  serviceByConstant: ['the same by a bare server that answers a constant', 0.7],
  taggedByConstant: ['its 304 by one of a bare server that answers a constant', 0.9],
  anewByGraphql: [`a page never asked before, ${GRAPHQL}`, 6.5],
  movingByGraphql: [`the same while a block a second changes 5 of the newest 100 tasks, ${GRAPHQL}`, 6],
  coldByGraphql: [`a page at a random place of the list, rendered once before by any process, ${GRAPHQL} at one`, 3],
  anewByBare: ['a page never asked before, by a bare server', 0.6],
  anewByBareSame: ['the same by a bare server that finds the page with the same statement', 0.8],
}

/** Names of the rates by contender, in pages a second. */
const pages: Readonly<Record<Contender, string>> = {
  service: 'pages of tasks that all ask for, a second',
  anew: 'pages of tasks never asked before, a second',
  moving: 'pages never asked before while each second a block changes 5 of the newest 100, a second',
  cold: 'pages at a random place of the list, rendered once before by any process, a second',
  // Its name is older than the fragments that are stored.
  coldFirst: 'pages at a random place of the list, a second',
  bare: 'pages of a bare server, a second',
  bareSame: 'pages of a bare server that finds them with the same statement, a second',
  constant: 'pages of a bare server that answers a constant, a second',
  tagged: '304 of a page that all ask for, a second',
  constantTagged: '304 of a bare server, a second',
  graphql: "pages of Ponder's GraphQL, a second",
  graphqlMoving: "pages of Ponder's GraphQL while a block a second changes tasks, a second",
  graphqlCold: "pages of Ponder's GraphQL at a random place, a second",
  ownGraphql: 'pages of the GraphQL of this service, a second',
}

/**
 * Lists quotients and pages a second. A page is 20 tasks: ours the whole view, with texts, identities, offers and rewards; of
 * GraphQL the columns of the tasks in one request, their awards in a second one; of the bare server the columns of the tasks and
 * their texts, or a page that it has already.
 */
export function figuresOfThroughput(throughput: ThroughputResult): Figure[] {
  return [
    ...Object.entries(quotients).map(([name, [means, least]]) =>
      estimated(means, throughput[name as Quotient], { least }),
    ),
    ...contenders.map((name) => estimated(pages[name], throughput[name])),
  ]
}

/** Lists the bytes of a database by task, of its largest indexes too, and what indexes add to storing a row. */
export function figuresOfStorage(storage: StorageResult): Figure[] {
  const { tasks, tableBytesPerTask, indexBytesPerTask, largestIndexes, indexWrites } = storage
  return [
    counted('tasks of the database', tasks),
    counted('bytes of tables a task', tableBytesPerTask),
    counted('bytes of indexes a task', indexBytesPerTask),
    ...largestIndexes.map(({ name, table, bytesPerTask }) => counted(`bytes a task of ${table} ${name}`, bytesPerTask)),
    ...indexWrites.map(({ name, table, microseconds }) => estimated(`µs a row of ${table} ${name}`, microseconds)),
  ]
}
