import { createAgreement } from './agreement.ts'
import type { RpcAnswer, RpcRequest } from './exchange.ts'
import { createAnswerJudge } from './judge-answer.ts'
import type { BlockId, NodeHead } from './judge-nodes.ts'
import { createNodeChecks, keepChecking } from './node-checks.ts'
import { createNodePool, type NodePool, type NodeState } from './node-pool.ts'
import { requestAny } from './request-any.ts'
import { sendToAll } from './send-to-all.ts'
import { createTakenBlocks } from './taken-blocks.ts'

export interface NodeSetOptions {
  /** The URLs of the nodes, in the order of preference. */
  urls: readonly string[]
  /** The chain id of the deployment. A node of another chain is not used. */
  chainId: number
  /** True for a local development chain. Its block times may differ from the host's clock. */
  isLocal: boolean
  /** Called with a node's state when a check changes the node's verdict, and when the node becomes the current node. */
  onChange?: (change: NodeState) => void
  /** The interval between two checks of all nodes, in milliseconds. Default: 2,000. */
  checkEveryMs?: number
  /**
   * The time limit in milliseconds for a node to answer a request, or to receive the newest block. Default: 2,000. It
   * does not apply to the only node of a set.
   */
  timeoutMs?: number
}

/** The nodes of one chain, used like a single node. */
export interface NodeSet {
  /**
   * Sends a request to the current node. If the current node gives no answer, the next node that has the newest block
   * gets the request. A signed transaction is sent to all nodes.
   * @throws the error of the last node when none answers
   */
  request(body: RpcRequest): Promise<RpcAnswer>
  /**
   * Returns true if the current node and at least one other node have the block. If no other node answers, only the
   * current node must have the block. The method waits up to two seconds for nodes that lack the block.
   */
  confirm(block: BlockId): Promise<boolean>
  /**
   * Returns true if the node that returned the block is still the current node, and no node has a different block at
   * the same height. If true, all reads since the block was returned belong to the same chain as the block.
   */
  isUndisputed(block: BlockId): Promise<boolean>
  /**
   * Finds the newest block, not above `head`, that the current node and a second node have. If the pool has no usable
   * second node, returns `head`. If no second node shares a block with the current node, returns null.
   */
  findConfirmedHead(head: NodeHead): Promise<NodeHead | null>
  states(): NodeState[]
  /** The number of nodes. */
  size: number
  /** Stops the repeated checks. */
  close(): void
}

const CHECK_EVERY_MS = 2_000
const TIMEOUT_MS = 2_000
/** The limits of the only node of a set. It gets more time to answer than one of several nodes. */
const ONLY_NODE = { timeoutMs: 5_000, longestPause: 5, isOnly: true }
/**
 * The longest pause of a node in seconds, if the set has several nodes. If the node demands a longer pause
 * (`Retry-After`), the pause still ends after this time.
 */
const LONGEST_PAUSE = 60

/**
 * Creates the set. One node is used as long as it is usable, so the answers belong to one state of the chain. A new
 * current node must have the newest accepted block. Example: `createNodeSet({ urls: ['https://a.example',
 * 'https://b.example'], chainId: 8453, isLocal: false })`.
 */
export function createNodeSet(options: NodeSetOptions): NodeSet {
  const { urls, chainId, isLocal, onChange = () => {} } = options
  const { checkEveryMs = CHECK_EVERY_MS, timeoutMs = TIMEOUT_MS } = options
  const limits = urls.length === 1 ? ONLY_NODE : { timeoutMs, longestPause: LONGEST_PAUSE, isOnly: false }
  const pool = createNodePool(urls, { limits, onChange })
  return urls.length === 1 ? singleNode(pool) : severalNodes(pool, { chainId, isLocal, checkEveryMs, timeoutMs })
}

/** Creates the set for a chain with a single node, whose answers cannot be compared with other nodes. */
function singleNode(pool: NodePool): NodeSet {
  return {
    size: 1,
    request: (body) => pool.current().ask(body),
    confirm: async () => true,
    isUndisputed: async () => true,
    findConfirmedHead: async (head) => head,
    states: pool.states,
    close: () => {},
  }
}

function severalNodes(
  pool: NodePool,
  { checkEveryMs, timeoutMs, ...chain }: { chainId: number; isLocal: boolean; checkEveryMs: number; timeoutMs: number },
): NodeSet {
  const takenBlocks = createTakenBlocks()
  const checks = createNodeChecks({ pool, takenBlocks, ...chain })
  const judgeAnswer = createAnswerJudge({ pool, takenBlocks, checks })
  const others = () =>
    pool.nodes.filter((node) => node !== pool.current() && ['ok', 'forked'].includes(pool.verdictOf(node)))
  const agreement = createAgreement({ current: pool.current, others, timeoutMs })
  const firstCheck = checks.check()
  const end = new AbortController()
  keepChecking(checks.check, checkEveryMs, end.signal)
  return {
    size: pool.nodes.length,
    request: async (body) => {
      await firstCheck
      if (body.method === 'eth_sendRawTransaction') return await sendToAll(pool, body)
      return await requestAny({ pool, takenBlocks, judgeAnswer, chainId: chain.chainId, timeoutMs }, body)
    },
    confirm: agreement.confirm,
    isUndisputed: async (block) => {
      const takenAt = takenBlocks.takenAt(block)
      if (takenAt !== null && takenAt <= pool.movedAt()) return false
      return (await agreement.isUndisputed(block)) && (takenAt === null || takenAt > pool.movedAt())
    },
    findConfirmedHead: async (head) => {
      const confirmedHead = await agreement.findConfirmedHead(head)
      if (confirmedHead === null) checks.check().catch(() => {})
      return confirmedHead
    },
    states: pool.states,
    close: () => end.abort(),
  }
}
