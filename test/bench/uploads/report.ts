import { saveRecord } from '../figures/record.ts'
import { show } from '../figures/statistics.ts'
import type { LoadResult } from './measure.ts'
import type { Latency } from './service-process.ts'

export interface Results {
  idle: Latency
  /** Peak memory of the service's process: before, after the JSON bodies, and after the PUTs, bytes. */
  peakBytes: { idle: number; json: number; put: number }
  json: LoadResult
  put: LoadResult
}

const MEMORY_LIMIT = 400e6
const HEALTH_LIMIT_MS = 50

/** The table a person reads. */
export function toTable({ idle, peakBytes, json, put }: Results): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  const latency = ({ p50, p99, max, count }: Latency) =>
    `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(1)}, n ${count}`
  const load = (name: string, { health, loopDelay, service, bare, ratio, bytesPerSecond }: LoadResult) => [
    `${verdict(health.p99 < HEALTH_LIMIT_MS)} /api/health meanwhile, p99 < ${HEALTH_LIMIT_MS} ms, ${name}: ${latency(health)}`,
    `       delay of its event loop: p99 ${loopDelay.p99.toFixed(1)} ms, max ${loopDelay.max.toFixed(1)} ms`,
    `       throughput by a bare server's: ${show(ratio)}; ${show(service)} ms by ${show(bare)} ms, ${megabytes(bytesPerSecond)} a second`,
  ]
  return [
    `${verdict(peakBytes.json < MEMORY_LIMIT)} peak memory < ${megabytes(MEMORY_LIMIT)}, JSON: ${megabytes(peakBytes.json)}; idle ${megabytes(peakBytes.idle)}`,
    `${verdict(peakBytes.put < MEMORY_LIMIT)} peak memory < ${megabytes(MEMORY_LIMIT)}, PUT after that: ${megabytes(peakBytes.put)}`,
    `       /api/health of an idle service: ${latency(idle)}`,
    ...load('JSON', json),
    ...load('PUT', put),
  ].join('\n')
}

/** Writes the results with all that they depend on; returns the file's path below the repository. */
export function saveResults(results: Results, settings: Record<string, unknown>): string {
  return saveRecord('uploads', { settings, results })
}

function verdict(isMet: boolean): string {
  return isMet ? 'met   ' : 'MISSED'
}
