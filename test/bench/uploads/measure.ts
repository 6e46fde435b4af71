import { setTimeout as pause } from 'node:timers/promises'
import { type Estimate, estimateMedian, medianOf, quantileOf } from '../figures/statistics.ts'
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

export interface LoadResult {
  /** The 99th percentile of `/api/health`, while the requests were sent and answered, milliseconds. */
  health: number
  /** That of the delay of the service's event loop meanwhile, in the worst round, milliseconds. */
  loopDelay: number
  /** Throughput of the service by that of the bare server, round by round. */
  ratio: Estimate
  /** Bytes a second that the service took. */
  bytesPerSecond: number
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
  rounds: number,
  make: () => Promise<LargeRequest[]>,
): Promise<LoadResult> {
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
  return {
    health: quantileOf(health, 0.99),
    loopDelay: Math.max(...delays),
    ratio: estimateMedian(ratio, random),
    bytesPerSecond: (bytes / medianOf(service)) * 1000,
  }
}

/** Most memory the service's process ever had, bytes. */
export function peakMemory({ stack }: Bench): number {
  return peakMemoryOf(stack.api().child.pid)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
