import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { measureReferenceLoop } from './reference-loop.ts'

/** Writes a benchmark's results with all that they depend on; returns the file's path below the repository. */
export function saveRecord(name: string, content: { settings: unknown; results: unknown }): string {
  const date = new Date().toISOString()
  const path = join('docs', 'benchmarks', `${name}-${date.slice(0, 10)}.json`)
  mkdirSync(join(repositoryRoot, 'docs', 'benchmarks'), { recursive: true })
  const record = { date, commit: commit(), machine: machine(), versions: versions(), ...content }
  writeFileSync(join(repositoryRoot, path), `${JSON.stringify(record, rounded, 2)}\n`)
  return path
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
