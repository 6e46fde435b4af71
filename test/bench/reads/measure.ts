import type { Database } from '../../../api/db/client.ts'
import { type Estimate, estimateMedian, medianOf } from '../figures/statistics.ts'
import type { ReadCase } from './cases.ts'
import { fetchBytes } from './http-get.ts'

export interface CaseResult {
  name: string
  /** By size: median of the answers' milliseconds over all blocks, and how many rows the page had. */
  bySize: Record<string, { p50: number; items: number }>
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
    const counts: number[] = []
    for (const url of urls) {
      counts.push(countItems(JSON.parse((await fetchBytes(url)).toString('utf8'))))
      // Once more: the first request of a text prepares its statements.
      await fetchBytes(anew(url))
    }
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
      bySize: Object.fromEntries(
        sizes.map(({ size }, place) => [size, { p50: medianOf(medians[place] ?? []), items: counts[place] ?? 0 }]),
      ),
      ratio: estimateMedian(
        most.map((value, block) => value / (fewest[block] ?? Number.NaN)),
        random,
      ),
    })
  }
  return results
}

/** Rows of a page; one where the answer is no list. */
function countItems(answer: { tasks?: unknown[] } | unknown[]): number {
  if (Array.isArray(answer)) return answer.length
  return answer.tasks?.length ?? 1
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

export interface ThroughputResult {
  /** Pages of 20 a second: as all callers ask for them, and asked for in a way that was never asked before. */
  service: Estimate
  anew: Estimate
  bare: Estimate
  graphql: Estimate
  /** Block by block. */
  serviceByGraphql: Estimate
  anewByGraphql: Estimate
  anewByBare: Estimate
  bytes: Record<keyof Contenders, number>
}

export interface Contenders {
  service: () => Promise<number>
  anew: () => Promise<number>
  bare: () => Promise<number>
  graphql: () => Promise<number>
}

/** Pages a second, so many in flight; all take turns. */
export async function measureThroughput(
  contenders: Contenders,
  {
    blocks,
    milliseconds,
    inFlight,
    random,
  }: { blocks: number; milliseconds: number; inFlight: number; random: () => number },
): Promise<ThroughputResult> {
  const names = ['service', 'anew', 'bare', 'graphql'] as const
  const rates = { service: [] as number[], anew: [] as number[], bare: [] as number[], graphql: [] as number[] }
  const bytes = { service: 0, anew: 0, bare: 0, graphql: 0 }
  for (const name of names) bytes[name] = await contenders[name]()
  for (const name of names) await pagesASecond(contenders[name], { milliseconds, inFlight })
  for (let block = 0; block < blocks; block += 1) {
    const order = names.map((_, place) => names[(place + block) % names.length] ?? 'service')
    for (const name of order) rates[name].push(await pagesASecond(contenders[name], { milliseconds, inFlight }))
  }
  const by = (own: readonly number[], other: readonly number[]) =>
    estimateMedian(
      own.map((rate, block) => rate / (other[block] ?? Number.NaN)),
      random,
    )
  return {
    service: estimateMedian(rates.service, random),
    anew: estimateMedian(rates.anew, random),
    bare: estimateMedian(rates.bare, random),
    graphql: estimateMedian(rates.graphql, random),
    serviceByGraphql: by(rates.service, rates.graphql),
    anewByGraphql: by(rates.anew, rates.graphql),
    anewByBare: by(rates.anew, rates.bare),
    bytes,
  }
}

async function pagesASecond(
  page: () => Promise<unknown>,
  { milliseconds, inFlight }: { milliseconds: number; inFlight: number },
): Promise<number> {
  const from = performance.now()
  let pages = 0
  const client = async () => {
    while (performance.now() - from < milliseconds) {
      await page()
      pages += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return (pages * 1000) / (performance.now() - from)
}
