import type { Database } from '../../../api/db/client.ts'
import { type Estimate, estimateMedian, medianOf } from '../figures/statistics.ts'
import type { ReadCase } from './cases.ts'
import { fetchBytes } from './http-get.ts'

export interface CaseResult {
  name: string
  /** p50 of the largest by p50 of the smallest, block by block. */
  ratio: Estimate
}

/** A service on rows: `size` tasks, or agents. */
export interface Sized {
  size: number
  sql: Database
  url: string
}

/** Every case on every size, one request at a time: a block is so many requests of each size in turn. */
export async function measureCases(
  sizes: readonly Sized[],
  list: (sql: Database) => Promise<ReadCase[]>,
  { blocks, requests, random }: { blocks: number; requests: number; random: () => number },
): Promise<CaseResult[]> {
  const lists = await Promise.all(sizes.map(({ sql }) => list(sql)))
  const results: CaseResult[] = []
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
    results.push({
      name,
      ratio: estimateMedian(
        most.map((value, block) => value / (fewest[block] ?? Number.NaN)),
        random,
      ),
    })
  }
  return results
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

/** Servers that are asked for pages of 20 tasks, `tagged` with the tag of the page. */
export const contenders = [
  'service',
  'anew',
  'moving',
  'cold',
  'coldFirst',
  'bare',
  'bareSame',
  'constant',
  'tagged',
  'constantTagged',
  'graphql',
  'graphqlMoving',
  'graphqlCold',
  'ownGraphql',
] as const
export type Contender = (typeof contenders)[number]

/** How one is asked: `during` goes on while it is measured, and is stopped by what it returns. */
export interface PageSource {
  page: () => Promise<unknown>
  during?: () => () => Promise<void>
}

/** Each as a quotient of two, block by block. */
const quotients = {
  serviceByGraphql: ['service', 'graphql'],
  anewByGraphql: ['anew', 'graphql'],
  movingByGraphql: ['moving', 'graphqlMoving'],
  coldByGraphql: ['cold', 'graphqlCold'],
  anewByBare: ['anew', 'bare'],
  anewByBareSame: ['anew', 'bareSame'],
  serviceByConstant: ['service', 'constant'],
  taggedByConstant: ['tagged', 'constantTagged'],
} as const satisfies Record<string, readonly [Contender, Contender]>
export type Quotient = keyof typeof quotients

/** Pages of 20 a second, and the quotients. */
export type ThroughputResult = Record<Contender | Quotient, Estimate>

/** Pages a second, so many in flight; all take turns. */
export async function measureThroughput(
  sources: Record<Contender, PageSource>,
  { random, ...load }: { blocks: number; milliseconds: number; inFlight: number; random: () => number },
): Promise<ThroughputResult> {
  for (const name of contenders) await sources[name].page()
  for (const name of contenders) await pagesASecond(sources[name], load)
  const rates = Object.fromEntries(contenders.map((name) => [name, [] as number[]])) as Record<Contender, number[]>
  for (let block = 0; block < load.blocks; block += 1) {
    for (const place of contenders.keys()) {
      const name = contenders[(place + block) % contenders.length] ?? 'service'
      rates[name].push(await pagesASecond(sources[name], load))
    }
  }
  const estimates = contenders.map((name) => [name, estimateMedian(rates[name], random)])
  const ratios = Object.entries(quotients).map(([name, [own, other]]) => [
    name,
    estimateMedian(
      rates[own].map((rate, block) => rate / (rates[other][block] ?? Number.NaN)),
      random,
    ),
  ])
  return Object.fromEntries([...estimates, ...ratios]) as ThroughputResult
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
