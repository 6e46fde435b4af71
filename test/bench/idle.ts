/**
 * `npm run bench -- idle`: processor time of each process of a stack without requests, as a share of one core: chain,
 * Postgres, the indexer, its supervisor (in this process) and the service. Linux only. Prints figures and keeps them in
 * docs/internals/benchmarks/figures.json.
 *
 *   --quick             ten seconds, nothing written
 *   --profile <dir>     a CPU profile of the service's process
 */

import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readOptions } from '../../ops/process/read-options.ts'
import { listOwnProcesses, type ProcessCpu } from '../../scripts/stack/process-cpu.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { counted } from './figures/figures.ts'
import { apiEnvironment, startBenchStack } from './writes/bench-stack.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } },
})
const settleSeconds = values.quick ? 5 : 20
const seconds = values.quick ? 10 : 60

/** What a command belongs to; the first that fits. */
const parts: readonly (readonly [string, RegExp])[] = [
  ['indexer', /ponder\.js|esbuild/],
  ['service', /(^| |\/)api\/main\.ts|scripts\/api\.ts/],
  ['chain', /anvil/],
  ['Postgres', /postgres/],
  ['supervisor and bench', /bench/],
]
const partOf = ({ command }: ProcessCpu) =>
  parts.find(([, pattern]) => pattern.test(command))?.[0] ?? basename(command.split(' ')[0] ?? '')

await beginBenchmark()
const stack = await startBenchStack(values.profile === undefined ? '' : `--cpu-prof --cpu-prof-dir=${values.profile}`)
try {
  await pause(settleSeconds * 1000)
  const before = new Map(listOwnProcesses().map((one) => [one.pid, one.seconds]))
  const startedAt = performance.now()
  await pause(seconds * 1000)
  const elapsed = (performance.now() - startedAt) / 1000
  const percentByPart = new Map<string, number>()
  for (const one of listOwnProcesses()) {
    const percent = ((one.seconds - (before.get(one.pid) ?? 0)) * 100) / elapsed
    percentByPart.set(partOf(one), (percentByPart.get(partOf(one)) ?? 0) + percent)
  }
  const total = [...percentByPart.values()].reduce((sum, percent) => sum + percent, 0)
  const figures = [
    counted('an idle stack, percent of a core', total, { most: 2 }),
    ...[...percentByPart].map(([part, percent]) => counted(`its ${part}, percent of a core`, percent)),
  ]
  tellFigures('idle', figures, { isQuick: values.quick, seconds, api: apiEnvironment, postgres: stack.postgres })
} finally {
  await stack.stop()
}
