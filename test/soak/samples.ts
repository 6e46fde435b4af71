import { appendFileSync, readFileSync } from 'node:fs'
import { medianOf } from '../bench/figures/statistics.ts'
import { OTHER_WORK, rules } from './rules.ts'
import { judge, type Sample, type Verdict } from './verdict.ts'

/** One measured value, of a process where it is about one. */
export interface Measured {
  value: number
  /** Process id; 0: no process. */
  life: number
}

/** How long each process may fill its caches, minutes: each session of Postgres meets every statement. A short run gives a quarter of itself. */
const WARM_UP_MINUTES = 30

/** All samples of a run, in memory and in a file with one JSON line for each. */
export interface Samples {
  note(measured: Readonly<Record<string, Measured>>): void
  judge(): Verdict[]
}

/** @param file is appended to */
export function createSamples(file: string): Samples {
  const startedAt = performance.now()
  const lines: Line[] = []
  return {
    note: (measured) => {
      const unknown = Object.keys(measured).find((name) => !(name in rules))
      if (unknown !== undefined) throw new Error(`rules.ts has no rule for "${unknown}"`)
      const line = { minute: (performance.now() - startedAt) / 60_000, measured }
      lines.push(line)
      appendFileSync(file, `${JSON.stringify(line)}\n`)
    },
    judge: () => judgeAll(lines),
  }
}

/** Judges the samples of an earlier run, or of one that still runs, by the rules of today. */
export function judgeFile(file: string): { verdicts: Verdict[]; minutes: number } {
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  return { verdicts: judgeAll(lines), minutes: lines.at(-1)?.minute ?? 0 }
}

interface Line {
  minute: number
  measured: Readonly<Record<string, Measured>>
}

function judgeAll(lines: readonly Line[]): Verdict[] {
  const minutes = lines.at(-1)?.minute ?? 0
  const warmUpMinutes = Math.min(WARM_UP_MINUTES, minutes / 4)
  const calm = calmLines(lines)
  return Object.entries(rules).map(([name, rule]) => {
    const of = name.startsWith('p99') ? calm : lines
    const samples = of.flatMap(({ minute, measured }): Sample[] => {
      const one = measured[name]
      return one === undefined ? [] : [{ minute, ...one }]
    })
    return judge(name, samples, { rule, warmUpMinutes })
  })
}

/** The half of the samples in which this machine did the least for others: the slowest answers of the rest tell of those. */
function calmLines(lines: readonly Line[]): Line[] {
  const busy = (line: Line) => line.measured[OTHER_WORK]?.value
  const all = lines.flatMap((line) => busy(line) ?? [])
  if (all.length === 0) return [...lines]
  const most = medianOf(all)
  return lines.filter((line) => (busy(line) ?? Number.POSITIVE_INFINITY) <= most)
}
