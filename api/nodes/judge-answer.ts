import { isAnyTrue } from './agreement.ts'
import type { RpcAnswer, RpcRequest } from './exchange.ts'
import { type BlockId, isSameBlock, type NodeHead } from './judge-nodes.ts'
import { isQuantity, type RpcNode, toHead } from './node.ts'
import type { NodeChecks } from './node-checks.ts'
import type { NodePool } from './node-pool.ts'
import { isNodeTrouble } from './node-trouble.ts'
import type { TakenBlocks } from './taken-blocks.ts'

/**
 * The judgement of an answer. `good`: the caller gets the answer. `doubtful`: another node may have a better answer.
 * `untrue`: the caller must not get the answer.
 */
export type Judgement = 'good' | 'doubtful' | 'untrue'

/** A node's answer, together with the request to which it belongs. */
export interface Answered {
  body: RpcRequest
  answer: RpcAnswer
  /** The time at which the request was sent, by `performance.now()`. */
  askedAt: number
}

export type JudgeAnswer = (node: RpcNode, exchange: Answered) => Promise<Judgement>

/**
 * Creates the function that judges answers. If an answer contains a newer block, the function also accepts this block
 * as the anchor: the newest accepted block (see `TakenBlocks`). Example: the request is for logs up to block 100, and
 * the node has no block 100. Its answer is `untrue`, because the logs of block 100 are missing.
 */
export function createAnswerJudge(options: {
  pool: NodePool
  takenBlocks: TakenBlocks
  checks: NodeChecks
}): JudgeAnswer {
  const { takenBlocks } = options
  const takeHead = createHeadTaker(options)
  /**
   * Returns true if the node has the blocks up to a height. If the height is above the newest accepted block, the node
   * must have a block at this height. Otherwise the node must have the newest accepted block.
   */
  const hasHeight = async (node: RpcNode, height: bigint): Promise<boolean> => {
    const anchor = takenBlocks.anchor()
    if (anchor !== null && height <= anchor.number) return await takenBlocks.isAnchoredOn(node)
    return (await node.findHash(height)) !== null
  }
  return async (node, { body, answer, askedAt }) => {
    const isRefused = answer.status === 429 || answer.status >= 500
    if (answer.error) return isRefused || isNodeTrouble(answer.error) ? 'doubtful' : 'good'
    const [param] = Array.isArray(body.params) ? body.params : []
    switch (body.method) {
      case 'eth_getBlockByNumber': {
        const head = toHead(answer.result)
        if (param === 'latest') return head !== null && (await takeHead(node, head, askedAt)) ? 'good' : 'untrue'
        return head === null && isTaken(param, takenBlocks.anchor()) ? 'doubtful' : 'good'
      }
      case 'eth_getBlockByHash':
        return answer.result === null ? 'doubtful' : 'good'
      case 'eth_getLogs': {
        const { toBlock, blockHash } = (param ?? {}) as { toBlock?: unknown; blockHash?: unknown }
        if (blockHash !== undefined) return 'good'
        return (await hasHeight(node, isQuantity(toBlock) ? BigInt(toBlock) : 0n)) ? 'good' : 'untrue'
      }
      default:
        return 'good'
    }
  }
}

type TakeHead = (node: RpcNode, head: NodeHead, askedAt: number) => Promise<boolean>

/**
 * Creates the function that accepts the newest block of a node as the newest block of the chain. The created function
 * returns true if the block may be used. It returns false if the node has lost blocks, or is no longer the current
 * node.
 */
function createHeadTaker({
  pool,
  takenBlocks,
  checks,
}: {
  pool: NodePool
  takenBlocks: TakenBlocks
  checks: NodeChecks
}): TakeHead {
  /**
   * Returns true if `head` continues the chain of the anchor (the newest accepted block). Also returns true if `head`
   * is an earlier accepted block in a delayed answer.
   */
  const isContinued = async (node: RpcNode, head: NodeHead, askedAt: number): Promise<boolean> => {
    const anchor = takenBlocks.anchor()
    if (anchor === null || isSameBlock(anchor, head)) return true
    // An answer in transit may be of an earlier taken block.
    if (head.number <= anchor.number) return askedAt <= takenBlocks.anchoredAt() && takenBlocks.takenAt(head) !== null
    return head.number === anchor.number + 1n ? head.parentHash === anchor.hash : await takenBlocks.isAnchoredOn(node)
  }
  /**
   * Returns true if the chain has become shorter: a second node also has `head`, the newest block of `node`. Called if
   * `head` is lower than the anchor (the newest accepted block). If the result is false, `node` may have lost blocks.
   */
  const isShorterChain = async (node: RpcNode, head: NodeHead): Promise<boolean> => {
    const others = pool.nodes.filter((other) => other !== node && pool.verdictOf(other) === 'ok')
    const isShared = (other: RpcNode) => other.findHash(head.number).then((hash) => hash === head.hash)
    return await isAnyTrue(others.map(isShared))
  }
  return async (node, head, askedAt) => {
    if (!(await isContinued(node, head, askedAt))) {
      // A reorg, or a node that must not be used: a check of the others decides.
      await checks.checkAnew()
      if (pool.current() !== node) return false
      if (await takenBlocks.isAnchoredOn(node)) return true
      const anchor = takenBlocks.anchor()
      if (anchor !== null && head.number < anchor.number && !(await isShorterChain(node, head))) return false
    } else {
      const anchor = takenBlocks.anchor()
      if (anchor !== null && head.number <= anchor.number) return true
    }
    takenBlocks.take(head)
    return true
  }
}

/** Returns true if a block at this height was already accepted. A node that lacks this block is behind. */
function isTaken(height: unknown, anchor: BlockId | null): boolean {
  return isQuantity(height) && anchor !== null && BigInt(height) <= anchor.number
}
