import type { Logger } from 'pino'
import type { NodeState } from '../nodes/node-pool.ts'

/** Returns the listener that logs changes of the current node, and nodes that must not be used. */
export function logNodeChange(log: Pick<Logger, 'info' | 'warn'>): (state: NodeState) => void {
  return ({ node, verdict, isCurrent, block }) => {
    const facts = { node, verdict, current: isCurrent, block: block === null ? null : Number(block) }
    if (verdict === 'ok') log.info(facts, 'node usable')
    else log.warn(facts, 'node not usable')
  }
}
