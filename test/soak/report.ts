import { readFileSync, writeFileSync } from 'node:fs'
import type { Figure } from '../../scripts/figures/figure.ts'
import { toTable as toMarkdown } from '../../scripts/figures/markdown-table.ts'
import { factsOfRun, keepRun, type Run } from '../bench/figures/record.ts'
import { rules } from './rules.ts'
import type { SoakResult } from './run.ts'
import type { Verdict } from './verdict.ts'

/** Renders what each measure did, with what it may do. */
export function toTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((verdict) => {
    const { name, isPassed, count, from, to, measured, allowed } = verdict
    const kind = isBound(name) ? 'highest' : 'growth'
    return [isPassed ? '' : 'FAILED', name, ...[from, to, measured, allowed].map(round), kind, String(count)]
  })
  return toMarkdown(['', 'measure', 'from', 'to', 'measured', 'allowed', 'judged by', 'values'], rows)
}

/** Says of a failed measure how far it went. */
export function toSentence({ name, from, to, measured, allowed, count }: Verdict): string {
  if (!Number.isFinite(measured)) return `${name}: ${count} values are too few to judge it`
  const [first, last, gained, most] = [from, to, measured, allowed].map(round)
  return `${name}: from ${first} to ${last}; ${isBound(name) ? `${gained} at most` : `grew by ${gained}`}, ${most} is allowed`
}

/** Writes the result of a run as `--keep` takes it. @returns the path */
export function writeResult(
  path: string,
  { seed, minutes, result }: { seed: string; minutes: number; result: SoakResult },
): string {
  const run: Run = {
    ...factsOfRun(),
    settings: { seed, minutes, notes: result.notes.slice(0, 3) },
    figures: [
      ...result.verdicts.flatMap(toFigures),
      ...Object.entries(result.facts).map(([name, median]): Figure => ({ name, median })),
    ],
  }
  writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`)
  return path
}

/** Puts the result of a run into docs/internals/benchmarks/figures.json. @returns a sentence for the person who asked for it */
export function keepResult(path: string): string {
  return keepRun('soak', JSON.parse(readFileSync(path, 'utf8')) as Run)
}

function toFigures({ name, from, to, measured, allowed }: Verdict): Figure[] {
  if (!Number.isFinite(measured)) return []
  if (isBound(name)) {
    return [
      { name: `${name}, at most`, median: measured, ...(Number.isFinite(allowed) && { goal: { most: allowed } }) },
    ]
  }
  return [
    { name: `${name}, in the middle of its trend`, median: (from + to) / 2 },
    { name: `${name}: growth`, median: measured, goal: { most: allowed } },
  ]
}

function isBound(name: string): boolean {
  return 'most' in (rules[name] ?? {})
}

function round(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return 'any'
  return Number.isFinite(value) ? Number(value.toPrecision(4)).toLocaleString('en-US') : 'not measured'
}
