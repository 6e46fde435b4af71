import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { measureReferenceLoop } from './reference-loop.ts'

const FIGURES = join('docs', 'internals', 'benchmarks', 'figures.json')

/** A benchmark's figures with all that they depend on. */
interface Kept {
  settings: object
  figures: readonly Figure[]
}

/** The figures of one run, with where and when it was. */
export type Run = Kept & ReturnType<typeof factsOfRun>

/**
 * Puts a benchmark's figures into docs/internals/benchmarks/figures.json, in the place of its earlier ones.
 * @returns a sentence for the person who ran it
 */
export function keepFigures(benchmark: string, { settings, figures }: Kept): string {
  return keepRun(benchmark, { ...factsOfRun(), settings, figures })
}

/** Keeps the figures of a run that was measured earlier. */
export function keepRun(benchmark: string, run: Run): string {
  const path = join(repositoryRoot, FIGURES)
  const all: Record<string, unknown> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  all[benchmark] = run
  writeFileSync(path, toText(all))
  return `${FIGURES} has them; \`node scripts/figures.ts\` puts them into the documents`
}

/** Now, this commit and this machine. */
export function factsOfRun() {
  return { date: new Date().toISOString(), commit: commit(), machine: machine(), versions: versions() }
}

/** Renders one figure a line, so that a difference can be read. */
function toText(all: Record<string, unknown>): string {
  const text = JSON.stringify(all, rounded, 2)
  return `${text.replace(/\{\s+"name":[^{}]*(?:\{[^{}]*\})?\s*\}/g, (figure) => figure.replace(/\n\s+/g, ' '))}\n`
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}

function machine() {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: totalmem() / 2 ** 30,
    system: `${platform()} ${arch()} ${release()}`,
    // Above the number of cores, with a benchmark that keeps about one busy: others were at work too.
    loadAverages: loadavg(),
    referenceLoopMs: measureReferenceLoop(),
  }
}

function versions(): Record<string, string> {
  const read = (path: string) => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8'))
  const packages = ['@foundry-rs/anvil', 'hono', 'ponder', 'postgres', 'viem']
  const own = packages.map((name) => [name, String(read(join('node_modules', name, 'package.json')).version)])
  return { node: process.version, ...Object.fromEntries(own) }
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim()
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'api', 'src') === '' ? '' : ', changed'}`
}
