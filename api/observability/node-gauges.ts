import { Counter, Gauge, type Registry } from 'prom-client'
import type { NodeState } from '../nodes/node-pool.ts'

/** Registers what this process finds of each node of its list, by its place in it. */
export function createNodeGauges(registry: Registry, readNodes: () => NodeState[]): void {
  const gauge = (name: string, help: string, read: (state: NodeState) => number | null) => {
    new Gauge({
      name: `taskmarket_node_${name}`,
      help,
      labelNames: ['node'],
      registers: [registry],
      collect() {
        for (const state of readNodes()) {
          const value = read(state)
          if (value !== null) this.set({ node: state.node }, value)
        }
      },
    })
  }
  gauge('usable', '1: the node passed its last check and answers; by its place in the list.', ({ verdict }) =>
    verdict === 'ok' ? 1 : 0,
  )
  gauge('current', '1: requests go to this node.', ({ isCurrent }) => (isCurrent ? 1 : 0))
  gauge('block', 'Height of its newest block at the last check.', ({ block }) =>
    block === null ? null : Number(block),
  )
  new Counter({
    name: 'taskmarket_node_failures_total',
    help: 'Requests to the node without an answer: timeout, limit (429), error.',
    labelNames: ['node', 'failure'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { node, failures } of readNodes()) {
        for (const [failure, count] of Object.entries(failures)) this.inc({ node, failure }, count)
      }
    },
  })
}
