import type { Database } from '../../../api/db/client.ts'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { estimated } from '../figures/figures.ts'
import { estimateMedian, medianOf } from '../figures/statistics.ts'
import type { ReadCase } from './cases.ts'
import { fetchBytes } from './http-get.ts'

/** A service on rows: `size` tasks, or agents. */
export interface Sized {
  size: number
  sql: Database
  url: string
}

/**
 * Measures every case on every size, one request at a time: p50 of the largest by p50 of the smallest, block by block. A block is so
 * many requests of each size in turn.
 */
export async function measureCases(
  sizes: readonly Sized[],
  list: (sql: Database) => Promise<ReadCase[]>,
  { blocks, requests, random }: { blocks: number; requests: number; random: () => number },
): Promise<Figure[]> {
  const lists = await Promise.all(sizes.map(({ sql }) => list(sql)))
  const figures: Figure[] = []
  for (const [index, { name }] of (lists[0] ?? []).entries()) {
    const urls = sizes.map(({ url }, place) => `${url}${lists[place]?.[index]?.path ?? ''}`)
    // The first request of a text prepares its statements.
    for (const url of urls) for (const each of [url, anew(url)]) await fetchBytes(each)
    const medians = sizes.map((): number[] => [])
    for (let block = 0; block < blocks; block += 1) {
      // The order alternates, so that no size is always the one that comes after a slow one.
      const order = [...urls.keys()]
      for (const place of block % 2 === 0 ? order : order.reverse()) {
        medians[place]?.push(await medianMilliseconds(urls[place] ?? '', requests))
      }
    }
    const [fewest = [], most = []] = [medians[0], medians.at(-1)]
    const ratios = most.map((value, block) => value / (fewest[block] ?? Number.NaN))
    const ratio = estimateMedian(ratios, random)
    figures.push(estimated(`${name}, p50 at the largest by the smallest size`, ratio, { most: 3 }))
  }
  return figures
}

let asked = 0

/** The same query in words that were never used before: no answer is kept for them. */
export function anew(url: string): string {
  asked += 1
  return `${url}${url.includes('?') ? '&' : '?'}asked=${asked}`
}

async function medianMilliseconds(url: string, requests: number): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < requests; request += 1) {
    const before = performance.now()
    await fetchBytes(anew(url))
    times.push(performance.now() - before)
  }
  return medianOf(times)
}

/** Servers that are asked for pages of 20 tasks, `tagged` with the tag of the page, and what their rates are called. */
export const contenders = {
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
} as const
export type Contender = keyof typeof contenders

/** How one is asked: `during` goes on while it is measured, and is stopped by what it returns. */
export interface PageSource {
  page: () => Promise<unknown>
  during?: () => () => Promise<void>
}

/** Pages a second, block by block, so many in flight; all take turns. */
export async function measureThroughput(
  sources: Record<Contender, PageSource>,
  load: { blocks: number; milliseconds: number; inFlight: number },
): Promise<Record<Contender, number[]>> {
  const names = Object.keys(contenders) as Contender[]
  for (const name of names) await sources[name].page()
  for (const name of names) await pagesASecond(sources[name], load)
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Contender, number[]>
  for (let block = 0; block < load.blocks; block += 1) {
    for (const place of names.keys()) {
      const name = names[(place + block) % names.length] ?? 'service'
      rates[name].push(await pagesASecond(sources[name], load))
    }
  }
  return rates
}

async function pagesASecond(
  { page, during }: PageSource,
  { milliseconds, inFlight }: { milliseconds: number; inFlight: number },
): Promise<number> {
  const stop = during?.()
  const from = performance.now()
  let pages = 0
  const client = async () => {
    while (performance.now() - from < milliseconds) {
      await page()
      pages += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  const rate = (pages * 1000) / (performance.now() - from)
  await stop?.()
  return rate
}
