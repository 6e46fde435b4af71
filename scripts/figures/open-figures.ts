import type { Figure } from './figure.ts'

/** docs/internals/benchmarks/figures.json: the last kept run of each benchmark. */
export type Benchmarks = Readonly<Record<string, Benchmark>>

export interface Benchmark {
  /** ISO 8601. */
  date: string
  commit: string
  machine: { cpu: string; cores: number; loadAverages: number[]; referenceLoopMs?: number }
  figures: readonly Figure[]
}

/** Reads the median of a figure. Example: `figure('idle', 'an idle stack, percent of a core')`. */
export type ReadFigure = (benchmark: string, name: string) => number

/** Creates the reader of figures by their names. It throws for a missing figure, with the command that measures it. */
export function openFigures(benchmarks: Benchmarks): ReadFigure {
  return (benchmark, name) => {
    const figure = benchmarks[benchmark]?.figures.find((one) => one.name === name)
    if (figure === undefined) throw new Error(`no figure "${name}" was kept: npm run bench -- ${benchmark}`)
    return figure.median
  }
}
