import { setTimeout as pause } from 'node:timers/promises'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import { estimateMedian, medianOf, quantileOf } from '../figures/statistics.ts'
import type { LargeRequest, Senders } from './send-at-once.ts'
import { loopDelayOf, peakMemoryOf, probeHealth } from './service-process.ts'
import type { UploadStack } from './upload-stack.ts'

export interface Bench {
  stack: UploadStack
  senders: Senders
  /** Makes the bare server's requests of the service's. */
  toBare: (requests: readonly LargeRequest[]) => LargeRequest[]
  random: () => number
}

/** The 99th percentile of the health of the service, left alone for so long, milliseconds. */
export async function measureIdle({ stack }: Bench, milliseconds: number): Promise<number> {
  const probe = probeHealth(stack.baseUrl())
  await pause(milliseconds)
  return quantileOf(await probe.stop(), 0.99)
}

/** Rounds of large requests at once to the service and the same bytes to the bare server, in random order. */
export async function measureLoad(
  bench: Bench,
  { name, rounds, make }: { name: string; rounds: number; make: () => Promise<LargeRequest[]> },
): Promise<Figure[]> {
  const { stack, senders, random } = bench
  const [service, bare, ratio]: [number[], number[], number[]] = [[], [], []]
  const health: number[] = []
  const delays: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    const requests = await make()
    bytes = requests.reduce((sum, { shared }) => sum + shared.byteLength, 0)
    const runBare = async () => {
      bare.push(await timed(() => senders.send(bench.toBare(requests))))
      stack.clearBare()
    }
    const isFirst = random() < 0.5
    if (!isFirst) await runBare()
    await loopDelayOf(stack.baseUrl())
    const probe = probeHealth(stack.baseUrl())
    service.push(await timed(() => senders.send(requests)))
    health.push(...(await probe.stop()))
    delays.push(await loopDelayOf(stack.baseUrl()))
    if (isFirst) await runBare()
    ratio.push((bare.at(-1) ?? Number.NaN) / (service.at(-1) ?? Number.NaN))
  }
  return [
    counted(`/api/health beside ${name}, p99, ms`, quantileOf(health, 0.99), { most: 50 }),
    counted(`delay of the event loop beside ${name}, p99, ms`, Math.max(...delays)),
    estimated(`throughput of ${name} by a bare server's`, estimateMedian(ratio, random)),
    counted(`MB a second of ${name}`, bytes / medianOf(service) / 1e3),
  ]
}

/** Most memory the service's process ever had, MB. */
export function peakMemory({ stack }: Bench): number {
  return Math.round(peakMemoryOf(stack.api().child.pid) / 1e6)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
