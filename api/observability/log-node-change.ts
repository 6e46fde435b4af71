import type { Logger } from 'pino'
import type { NodeState } from '../nodes/node-pool.ts'

/** Returns the listener that logs two events: the current node changes, or a node's verdict changes. */
export function logNodeChange(log: Pick<Logger, 'info' | 'warn'>): (state: NodeState) => void {
  return ({ node, verdict, isCurrent, block }) => {
    const facts = { node, verdict, current: isCurrent, block: block === null ? null : Number(block) }
    if (verdict === 'ok') log.info(facts, 'node usable')
    else log.warn(facts, 'node not usable')
  }
}
