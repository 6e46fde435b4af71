/**
 * `npm run bench -- uploads`: clients that all send large files at once, as base64 in JSON (submissions, down to their
 * transactions) and by PUT, to the whole local stack, and the same bytes to a bare server that writes them to the same
 * disk; the service's memory, and its health as others see it meanwhile. Prints figures and keeps them in
 * docs/internals/benchmarks/figures.json.
 *
 *   --quick             one round, nothing written
 */

import { readOptions } from '../../ops/process/read-options.ts'
import { startProgress } from '../../scripts/stack/progress.ts'
import { beginBenchmark, tellFigures } from './figures/benchmark.ts'
import { counted } from './figures/figures.ts'
import { createSeededRandom } from './figures/statistics.ts'
import { createLargeRequests } from './uploads/large-requests.ts'
import { type Bench, measureIdle, measureLoad, peakMemory } from './uploads/measure.ts'
import { startSenders } from './uploads/send-at-once.ts'
import { closeProbes } from './uploads/service-process.ts'
import { startUploadStack } from './uploads/upload-stack.ts'

const { values } = readOptions({
  options: { quick: { type: 'boolean', default: false } },
})

const seed = 20_260_101
const sizes = { clients: 8, bodyBytes: 49 * 1024 * 1024, rounds: values.quick ? 1 : 7, idleMs: 5_000 }

await beginBenchmark()
const progress = startProgress()
const stack = await progress.step(
  startUploadStack,
  ({ postgres }) => `a stack of its own is up, Postgres from ${postgres}`,
)
const senders = startSenders()
try {
  const requests = await createLargeRequests(stack, sizes)
  const bench: Bench = { stack, senders, toBare: requests.bare, random: createSeededRandom(seed) }
  const idle = await progress.step(
    () => measureIdle(bench, sizes.idleMs),
    () => 'idle',
  )
  const peakIdle = peakMemory(bench)
  const load = (name: string, make: typeof requests.uploads) =>
    progress.step(
      () => measureLoad(bench, { name, rounds: sizes.rounds, make }),
      () => `${sizes.clients} ${name} at once`,
    )
  const json = await load('JSON bodies', requests.submissions)
  const peakJson = peakMemory(bench)
  const put = await load('PUTs', requests.uploads)
  const figures = [
    counted('peak memory after JSON bodies, MB', peakJson, { most: 400 }),
    counted('peak memory after PUTs behind them, MB', peakMemory(bench), { most: 400 }),
    counted('peak memory of an idle service, MB', peakIdle),
    counted('/api/health of an idle service, p99, ms', idle),
    ...json,
    ...put,
  ]
  tellFigures('uploads', figures, {
    isQuick: values.quick,
    seed,
    ...sizes,
    fileBytes: requests.fileBytes,
    postgres: stack.postgres,
  })
} finally {
  closeProbes()
  await senders.stop()
  await stack.stop()
}
