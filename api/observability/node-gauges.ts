import type { Registry } from 'prom-client'
import { instrumentsOf } from '../../metrics/instruments.ts'
import type { NodeState } from '../nodes/node-pool.ts'

/** Registers the gauges of each node. The label of a node is the node's position in this process's list of nodes. */
export function createNodeGauges(registry: Registry, readNodes: () => NodeState[]): void {
  const instruments = instrumentsOf(registry)
  type Name = 'taskmarket_node_usable' | 'taskmarket_node_current' | 'taskmarket_node_block'
  const measure = (name: Name, read: (state: NodeState) => number | null) => {
    const gauge = instruments.gauge(name, () => {
      for (const state of readNodes()) {
        const value = read(state)
        if (value !== null) gauge.set({ node: state.node }, value)
      }
    })
  }
  measure('taskmarket_node_usable', ({ verdict }) => (verdict === 'ok' ? 1 : 0))
  measure('taskmarket_node_current', ({ isCurrent }) => (isCurrent ? 1 : 0))
  measure('taskmarket_node_block', ({ block }) => (block === null ? null : Number(block)))
  const failureCounter = instruments.counter('taskmarket_node_failures_total', () => {
    failureCounter.reset()
    for (const { node, failures } of readNodes()) {
      for (const [failure, count] of Object.entries(failures)) failureCounter.inc({ node, failure }, count)
    }
  })
}
