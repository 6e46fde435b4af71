import type { NodeHead, Verdict } from './judge-nodes.ts'
import { createNode, type Failure, type NodeLimits, type RpcNode } from './node.ts'

/** The state of one node for operators. */
export interface NodeState {
  /** The node's place in the list, counted from 1. */
  node: number
  verdict: Verdict
  /** True if requests are sent to this node. */
  isCurrent: boolean
  /** The node's newest block at the last check. Null if the node has never returned a block. */
  block: bigint | null
  /** The number of failed requests by reason, counted from the start of the process. */
  failures: Readonly<Record<Failure, number>>
}

/** The nodes of a set with their verdicts. Requests are sent to the current node. */
export interface NodePool {
  /** All nodes, in the order of preference. */
  nodes: readonly RpcNode[]
  current(): RpcNode
  /** Makes a node the current node, to which requests are sent. */
  use(node: RpcNode): void
  /** Returns the time of the last change of the current node, by `performance.now()`. */
  movedAt(): number
  /** Stores the result of a check of a node. `head` (the newest block) is null if the node gave no answer. */
  record(node: RpcNode, check: { verdict: Verdict; head: NodeHead | null }): void
  /** Returns the verdict of the last check. */
  checkedVerdict(node: RpcNode): Verdict
  /**
   * Returns the node's present verdict.
   * - `other_chain`: the verdict of the last check, even if the node has not answered since or is paused.
   * - `silent`: the node did not answer its last request, or is paused.
   * - Otherwise: the verdict of the last check.
   */
  verdictOf(node: RpcNode): Verdict
  /** Returns the number of consecutive checks that the node has passed. */
  goodChecks(node: RpcNode): number
  states(): NodeState[]
}

/**
 * Creates the pool. At first, the first node is the current node, and every node is `ok`.
 * @param onChange called with a node's state when a check changes the node's verdict, and when the node becomes the
 * current node
 */
export function createNodePool(
  urls: readonly string[],
  { limits, onChange }: { limits: NodeLimits; onChange: (change: NodeState) => void },
): NodePool {
  const nodes = urls.map((url) => createNode(url, limits))
  const verdicts = new Map<RpcNode, Verdict>()
  const blocks = new Map<RpcNode, bigint>()
  const goodChecks = new Map<RpcNode, number>()
  const [first] = nodes
  if (first === undefined) throw new Error('a set of nodes has one node at least')
  let current = first
  let movedAt = Number.NEGATIVE_INFINITY

  const checkedVerdict = (node: RpcNode): Verdict => verdicts.get(node) ?? 'ok'
  const verdictOf = (node: RpcNode): Verdict => {
    const verdict = checkedVerdict(node)
    return node.isAnswering() || verdict === 'other_chain' ? verdict : 'silent'
  }
  const stateOf = (node: RpcNode): NodeState => ({
    node: nodes.indexOf(node) + 1,
    verdict: verdictOf(node),
    isCurrent: node === current,
    block: blocks.get(node) ?? null,
    failures: node.failureCounts(),
  })
  return {
    nodes,
    current: () => current,
    movedAt: () => movedAt,
    checkedVerdict,
    verdictOf,
    goodChecks: (node) => goodChecks.get(node) ?? 0,
    states: () => nodes.map(stateOf),
    use: (node) => {
      if (node === current) return
      current = node
      movedAt = performance.now()
      onChange(stateOf(node))
    },
    record: (node, { verdict, head }) => {
      const before = checkedVerdict(node)
      verdicts.set(node, verdict)
      goodChecks.set(node, verdict === 'ok' ? (goodChecks.get(node) ?? 0) + 1 : 0)
      if (head !== null) blocks.set(node, head.number)
      if (verdict !== before) onChange(stateOf(node))
    },
  }
}
