/**
 * `npm run bench -- writes`: what a paid write through the service costs above the same transaction sent bare to the
 * same node, in time and in throughput; how fast a duplicate learns that it lost, and one of many writes for a task. Prints
 * figures and keeps them in docs/internals/benchmarks/figures.json.
 *
 *   --quick             small samples, nothing written
 *   --profile <dir>     a CPU profile of the service's process
 */

import { readOptions } from '../../ops/process/read-options.ts'
import { startProgress } from '../../scripts/stack/progress.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { createSeededRandom } from './figures/statistics.ts'
import { apiEnvironment, serviceRelayers, setBlockTime, startBenchStack } from './writes/bench-stack.ts'
import { closeConnections } from './writes/http-client.ts'
import {
  type Bench,
  measureBlocks,
  measureLatency,
  measureLosers,
  measureRaces,
  measureThroughput,
} from './writes/measure.ts'
import { createPrebuilder } from './writes/prebuilt.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } },
})

const seed = 20_260_101
const blockSeconds = 2
const samples = values.quick
  ? {
      warmUp: 5,
      pairs: 30,
      steadyPairs: 3,
      blocks: 2,
      size: 40,
      inFlight: 32,
      alone: 50,
      storms: [2, 16, 64],
      races: [16, 64],
      rounds: 3,
    }
  : {
      warmUp: 30,
      pairs: 150,
      steadyPairs: 20,
      blocks: 5,
      size: 80,
      inFlight: 64,
      alone: 500,
      storms: [2, 16, 64],
      races: [16, 64],
      rounds: 8,
    }

await beginBenchmark()
const progress = startProgress()
const stack = await progress.step(
  () => startBenchStack(values.profile === undefined ? '' : `--cpu-prof --cpu-prof-dir=${values.profile}`),
  ({ postgres }) => `a stack of its own is up, Postgres from ${postgres}`,
)
try {
  const random = createSeededRandom(seed)
  const bench: Bench = { stack, random, prebuilder: await createPrebuilder(stack) }
  await progress.step(
    () => measureLatency(bench, samples.warmUp),
    () => 'warm',
  )
  const latency = await progress.step(
    () => measureLatency(bench, samples.pairs),
    () => 'latency, mined at once',
  )
  const losers = await progress.step(
    () => measureLosers(bench, { ...samples, writeMs: latency.median }),
    () => 'duplicates',
  )
  const races = await progress.step(
    () => measureRaces(bench, { sizes: samples.races, rounds: samples.rounds }),
    () => 'losers',
  )
  const throughput = await progress.step(
    () => measureThroughput(bench, { ...samples, isSteady: false }),
    () => 'throughput',
  )
  await setBlockTime(stack.anvil, blockSeconds)
  const blocks = await progress.step(
    () => measureBlocks(bench, samples.steadyPairs, blockSeconds * 1000),
    () => `latency, a block every ${blockSeconds} s`,
  )
  const steadyThroughput = await progress.step(
    () => measureThroughput(bench, { ...samples, inFlight: samples.size, isSteady: true }),
    () => `throughput, a block every ${blockSeconds} s`,
  )
  await setBlockTime(stack.anvil, null)

  const figures = [latency.figures, blocks, steadyThroughput, throughput, losers, races].flat()
  tellFigures('writes', figures, {
    isQuick: values.quick,
    seed,
    samples,
    blockSeconds,
    relayers: serviceRelayers.length,
    api: apiEnvironment,
    postgres: stack.postgres,
  })
} finally {
  closeConnections()
  await stack.stop()
}
