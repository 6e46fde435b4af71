import { setTimeout as pause } from 'node:timers/promises'
import { type Estimate, estimateMedian } from '../figures/statistics.ts'
import type { LargeRequest, Senders } from './send-at-once.ts'
import { type Latency, loopDelayOf, memoryOf, probeHealth, toLatency } from './service-process.ts'
import type { UploadStack } from './upload-stack.ts'

export interface Bench {
  stack: UploadStack
  senders: Senders
  /** Makes the bare server's requests of the service's. */
  toBare: (requests: readonly LargeRequest[]) => LargeRequest[]
  random: () => number
}

export interface LoadResult {
  /** Of `/api/health`, while the requests were sent and answered, milliseconds. */
  health: Latency
  /** Delay of the service's event loop meanwhile, the worst round, milliseconds. */
  loopDelay: { p99: number; max: number }
  /** From the first byte of all to the last answer, milliseconds. */
  service: Estimate
  bare: Estimate
  /** Throughput of the service by that of the bare server, round by round. */
  ratio: Estimate
  /** Bytes a second that the service took. */
  bytesPerSecond: number
}

/** The service left alone for so long. */
export async function measureIdle({ stack }: Bench, milliseconds: number): Promise<Latency> {
  const probe = probeHealth(stack.baseUrl())
  await pause(milliseconds)
  return toLatency(await probe.stop())
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
  const delays: { p99: number; max: number }[] = []
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
  const estimated = estimateMedian(service, random)
  return {
    health: toLatency(health),
    loopDelay: { p99: Math.max(...delays.map(({ p99 }) => p99)), max: Math.max(...delays.map(({ max }) => max)) },
    service: estimated,
    bare: estimateMedian(bare, random),
    ratio: estimateMedian(ratio, random),
    bytesPerSecond: (bytes / estimated.median) * 1000,
  }
}

/** Most memory the service's process ever had, bytes. */
export function peakMemory({ stack }: Bench): number {
  return memoryOf(stack.api().child.pid).peakBytes
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
