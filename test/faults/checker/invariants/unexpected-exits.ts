import type { Evidence } from '../evidence.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('no outside fault ends a process')

/** A fault of the node or of the database never ends an API process. */
export function checkUnexpectedExits({ log }: Evidence): Violation[] {
  return log.unexpectedExits.map(({ faultCase, replica, end }) =>
    violation(`API process ${replica} in "${faultCase}"`, `ended by itself with ${end}`),
  )
}
