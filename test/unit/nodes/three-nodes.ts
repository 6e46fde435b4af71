import { afterEach, beforeEach } from 'vitest'
import type { NodeState } from '../../../api/nodes/node-pool.ts'
import { createNodeSet, type NodeSet } from '../../../api/nodes/node-set.ts'
import { aFakeNode, type FakeNode } from './fake-nodes.ts'

/** Three nodes of one chain, and the set of them. */
export interface ThreeNodes {
  /** Others in each test. */
  nodes: [FakeNode, FakeNode, FakeNode]
  readonly set: NodeSet
  /** Changes that the set was told of. */
  readonly changes: readonly NodeState[]
  /** Opens the set anew. Default: it checks the nodes once. */
  reopen(options?: { checkEveryMs?: number }): void
  /** Asks the set for the height of its newest block. */
  head(): Promise<number>
  /** Asks which node answers now. */
  answering(): Promise<number>
  verdicts(): NodeState['verdict'][]
}

/** Opens three nodes and their set before each test, and takes their newest block, 100. Closes them after it. */
export function useThreeNodes(): ThreeNodes {
  const nodes = [] as unknown as ThreeNodes['nodes']
  let set: NodeSet | null = null
  let changes: NodeState[] = []

  const currentSet = (): NodeSet => {
    if (set === null) throw new Error('the set is opened before each test')
    return set
  }
  const reopen = ({ checkEveryMs = 3_600_000 } = {}): void => {
    set?.close()
    const urls = nodes.map(({ url }) => url)
    const onChange = (change: NodeState) => changes.push(change)
    set = createNodeSet({ urls, chainId: 8453, isLocal: true, checkEveryMs, timeoutMs: 1_500, onChange })
  }
  const head = async (): Promise<number> => {
    const { result } = await currentSet().request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    return Number((result as { number: string }).number)
  }
  beforeEach(async () => {
    nodes.splice(0, 3, await aFakeNode(), await aFakeNode(), await aFakeNode())
    changes = []
    reopen()
    await head()
  })
  afterEach(() => {
    currentSet().close()
    for (const node of nodes) node.close()
  })
  return {
    nodes,
    get set() {
      return currentSet()
    },
    get changes() {
      return changes
    },
    reopen,
    head,
    answering: async () => {
      const { result } = await currentSet().request({ method: 'eth_call', params: [] })
      return nodes.findIndex(({ url }) => url === result)
    },
    verdicts: () =>
      currentSet()
        .states()
        .map(({ verdict }) => verdict),
  }
}

/** Lets a node have its next blocks when it is asked for the third time. */
export function catchUp(node: FakeNode, height: number): void {
  node.asked = []
  node.onAsk = () => {
    if (node.asked.length >= 3) node.height = height
  }
}
