import { listOwnProcesses } from '../../../scripts/stack/process-cpu.ts'
import { type Estimate, estimateMedian } from '../figures/statistics.ts'
import type { contenders, quotients } from './sources.ts'

type Name = (typeof contenders)[number]
type Quotient = keyof typeof quotients

/** The server of the pages: the service and its database. */
const SERVER = /api\/main\.ts|postgres/

/**
 * Processor time of the server for an answer, milliseconds, and each page by its JSON, block by block. What else the machine
 * does meanwhile is not in it. All sources take turns; each block is so many requests, some at once.
 */
export async function measureProcessorTime(
  sources: Readonly<Record<Name, () => Promise<number>>>,
  options: { quotients: typeof quotients; blocks: number; requests: number; inFlight: number; random: () => number },
): Promise<{ milliseconds: Record<Name, Estimate>; times: Record<Quotient, Estimate> }> {
  const names = Object.keys(sources) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (const name of names) await timeOfAnswer(sources[name], options)
  for (let block = 0; block < options.blocks; block += 1) {
    const first = block % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      samples[name].push(await timeOfAnswer(sources[name], options))
    }
  }
  const estimate = (sample: readonly number[]) => estimateMedian(sample, options.random)
  const byJson = Object.entries(options.quotients).map(([name, [page, json]]) => [
    name,
    estimate(samples[page].map((time, block) => time / (samples[json][block] ?? Number.NaN))),
  ])
  return {
    milliseconds: Object.fromEntries(names.map((name) => [name, estimate(samples[name])])) as Record<Name, Estimate>,
    times: Object.fromEntries(byJson) as Record<Quotient, Estimate>,
  }
}

async function timeOfAnswer(
  answer: () => Promise<number>,
  { requests, inFlight }: { requests: number; inFlight: number },
): Promise<number> {
  const before = serverSeconds()
  let left = requests
  const client = async () => {
    while (left > 0) {
      left -= 1
      await answer()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return ((serverSeconds() - before) * 1000) / requests
}

function serverSeconds(): number {
  return listOwnProcesses()
    .filter(({ command }) => SERVER.test(command))
    .reduce((sum, { seconds }) => sum + seconds, 0)
}
