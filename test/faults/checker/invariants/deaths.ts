import type { Evidence } from '../evidence.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('no fault outside ends a process')

/** Whatever befalls the node or the database, an API process lives through it. */
export function checkDeaths({ log }: Evidence): Violation[] {
  return log.deaths.map(({ faultCase, replica, end }) =>
    violation(`API process ${replica} in "${faultCase}"`, `ended by itself with ${end}`),
  )
}
