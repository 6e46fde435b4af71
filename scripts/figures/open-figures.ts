import type { Figure } from './figure.ts'

/** The content of docs/internals/benchmarks/figures.json: for each benchmark, the last run that was recorded. */
export type Benchmarks = Readonly<Record<string, Benchmark>>

export interface Benchmark {
  /** Date of the run (ISO 8601). */
  date: string
  commit: string
  machine: { cpu: string; cores: number; loadAverages: number[]; referenceLoopMs?: number }
  figures: readonly Figure[]
}

/** Reads the median of a figure. Example: `figure('idle', 'an idle stack, percent of a core')`. */
export type ReadFigure = (benchmark: string, name: string) => number

/**
 * Creates a function that returns a figure by its name. If the figure is missing, the function throws an error with the
 * command that measures the figure.
 */
export function openFigures(benchmarks: Benchmarks): ReadFigure {
  return (benchmark, name) => {
    const figure = benchmarks[benchmark]?.figures.find((one) => one.name === name)
    if (figure === undefined) throw new Error(`no figure "${name}" was kept: npm run bench -- ${benchmark}`)
    return figure.median
  }
}
