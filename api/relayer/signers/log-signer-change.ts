import type { Logger } from 'pino'
import type { OnSignerChange } from './remote-key.ts'

/** Returns the listener that logs when a signer fails, and when it signs again. */
export function logSignerChange(log: Pick<Logger, 'info' | 'warn'>): OnSignerChange {
  return (facts) => {
    if (facts.pauseMs === null) log.info(facts, 'signer signs again')
    else log.warn(facts, 'signer failed')
  }
}
