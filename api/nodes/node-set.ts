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
  /** The nodes, in the order of preference. */
  urls: readonly string[]
  /** The deployment's chain; a node of another one is not used. */
  chainId: number
  /** True for a chain of this machine, whose clock may have any time. */
  isLocal: boolean
  /** Called when a node is no longer used, or is again, and when another one becomes the current. */
  onChange?: (change: NodeState) => void
  /** Interval of the checks of all nodes, milliseconds. Default 2,000. */
  checkEveryMs?: number
  /** Time that one of several nodes has to answer, and another one to get the newest block, milliseconds. Default 2,000. */
  timeoutMs?: number
}

/** The nodes of one chain, used as one. */
export interface NodeSet {
  /**
   * Sends a request to the current node, and to the next one that has the newest block that was taken from the set when the current
   * gives no answer. A signed transaction goes to all nodes.
   * @throws the error of the last node when none answers
   */
  request(body: RpcRequest): Promise<RpcAnswer>
  /**
   * True when the current node and another one have the block; the only node that answers is enough. Waits up to two seconds
   * for nodes that do not have it yet.
   */
  confirm(block: BlockId): Promise<boolean>
  /**
   * True when no node has another block in the place of this one, and the node that it was taken from is still the current one:
   * what was read since then is of its chain.
   */
  isUndisputed(block: BlockId): Promise<boolean>
  /** The newest block up to this head that the current node and another one have; null: there is none. */
  findConfirmedHead(head: NodeHead): Promise<NodeHead | null>
  states(): NodeState[]
  /** Number of nodes. */
  size: number
  /** Ends the checks. */
  close(): void
}

const CHECK_EVERY_MS = 2_000
const TIMEOUT_MS = 2_000
/** The limits of an only node, which gets more time without an alternative. */
const ONLY_NODE = { timeoutMs: 5_000, longestPause: 5, isOnly: true }
/** The longest pause of one of several nodes, seconds. */
const LONGEST_PAUSE = 60

/**
 * Creates the set. It stays with one node while that is well, so that answers are of one state, and moves only to a node that
 * has the newest block that was taken; a node that lags, is on a fork, or serves another chain is not used.
 *
 * Example: `createNodeSet({ urls: ['https://a.example', 'https://b.example'], chainId: 8453, isLocal: false })`.
 */
export function createNodeSet(options: NodeSetOptions): NodeSet {
  const { urls, chainId, isLocal, onChange = () => {} } = options
  const { checkEveryMs = CHECK_EVERY_MS, timeoutMs = TIMEOUT_MS } = options
  const limits = urls.length === 1 ? ONLY_NODE : { timeoutMs, longestPause: LONGEST_PAUSE, isOnly: false }
  const pool = createNodePool(urls, { limits, onChange })
  return urls.length === 1 ? singleNode(pool) : severalNodes(pool, { chainId, isLocal, checkEveryMs, timeoutMs })
}

/** The only node of a chain: its answers are compared with nothing. */
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
  const ending = new AbortController()
  keepChecking(checks.check, checkEveryMs, ending.signal)
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
      const shared = await agreement.findConfirmedHead(head)
      if (shared === null) checks.check().catch(() => {})
      return shared
    },
    states: pool.states,
    close: () => ending.abort(),
  }
}
