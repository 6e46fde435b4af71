import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import type { LoadResult } from './measure.ts'

export interface Results {
  /** The 99th percentile of the health of an idle service, milliseconds. */
  idle: number
  /** Peak memory of the service's process: before, after the JSON bodies, and after the PUTs, bytes. */
  peakBytes: { idle: number; json: number; put: number }
  json: LoadResult
  put: LoadResult
}

/** Lists the figures of the results. */
export function figuresOf({ idle, peakBytes, json, put }: Results): Figure[] {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  const load = (name: string, { health, loopDelay, ratio, bytesPerSecond }: LoadResult) => [
    counted(`/api/health beside ${name}, p99, ms`, health, { most: 50 }),
    counted(`delay of the event loop beside ${name}, p99, ms`, loopDelay),
    estimated(`throughput of ${name} by a bare server's`, ratio),
    counted(`MB a second of ${name}`, bytesPerSecond / 1e6),
  ]
  return [
    counted('peak memory after JSON bodies, MB', megabytes(peakBytes.json), { most: 400 }),
    counted('peak memory after PUTs behind them, MB', megabytes(peakBytes.put), { most: 400 }),
    counted('peak memory of an idle service, MB', megabytes(peakBytes.idle)),
    counted('/api/health of an idle service, p99, ms', idle),
    ...load('JSON bodies', json),
    ...load('PUTs', put),
  ]
}
