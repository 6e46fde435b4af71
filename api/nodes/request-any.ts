import { setTimeout as pause } from 'node:timers/promises'
import type { RpcAnswer, RpcRequest } from './exchange.ts'
import type { JudgeAnswer } from './judge-answer.ts'
import type { RpcNode } from './node.ts'
import type { NodePool } from './node-pool.ts'
import { pinState } from './pin-state.ts'
import type { TakenBlocks } from './taken-blocks.ts'

const NEWEST_BLOCK = { method: 'eth_getBlockByNumber', params: ['latest', false] }
/** Interval of asking a node for a block that it may get soon, milliseconds. */
const POLL_MS = 50

export interface RequestOptions {
  pool: NodePool
  takenBlocks: TakenBlocks
  judgeAnswer: JudgeAnswer
  chainId: number
  /** Time that another node has to get the newest block, milliseconds. */
  timeoutMs: number
}

/**
 * Sends a request to the current node, and to the next one that can go on where it stopped when it gives no good answer.
 * @throws the error of the last node when none answers
 */
export async function requestAny(options: RequestOptions, body: RpcRequest): Promise<RpcAnswer> {
  const { pool, takenBlocks, judgeAnswer, chainId } = options
  const newest = takenBlocks.anchor()
  const pinned = pinState(body, newest)
  const tried = new Set<RpcNode>()
  let doubtful: RpcAnswer | null = null
  /** The nodes so far lack the block, and may be right. */
  let isUnknown = false
  let failure: unknown = new Error(`no node of chain ${chainId} answers`)
  const current = pool.current()
  const start = current.isPaused() ? await findOther(options, new Set([current])) : current
  for (let node = start; node !== null; node = await findOther(options, tried, isUnknown)) {
    tried.add(node)
    const isOfOtherChain = pool.checkedVerdict(node) === 'other_chain'
    // Where every node is, the caller learns from the answers which chain it is.
    if (isOfOtherChain && !(body.method === 'eth_chainId' && isEveryOther(pool))) continue
    try {
      const askedAt = performance.now()
      const answer = await node.ask(pinned)
      const judgement = await judgeAnswer(node, { body, answer, askedAt })
      if (judgement === 'good') {
        if (isUnknown) pool.use(node)
        return answer
      }
      if (judgement === 'doubtful') doubtful = answer
      isUnknown = judgement === 'doubtful' && !answer.error
    } catch (error) {
      isUnknown = false
      failure = error
    }
  }
  if (doubtful === null) throw failure
  if (pinned === body || !doubtful.error) return doubtful
  // No node has the newest block that was taken: a reorg removed it, or it was of a node that is not used any more.
  if (takenBlocks.anchor() === newest) await requestAny(options, NEWEST_BLOCK)
  return takenBlocks.anchor() === newest ? doubtful : await requestAny(options, body)
}

/**
 * Finds the next node that can go on where the current one stopped; null: there is none. It becomes the current one unless the
 * current has answered.
 */
async function findOther(
  { pool, takenBlocks, timeoutMs }: RequestOptions,
  tried: ReadonlySet<RpcNode>,
  hasAnswered = false,
): Promise<RpcNode | null> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const usable = pool.nodes.filter((node) => !tried.has(node) && pool.verdictOf(node) === 'ok')
    for (const node of usable) {
      if (!(await takenBlocks.isAnchoredOn(node))) continue
      if (tried.has(pool.current()) && !hasAnswered) pool.use(node)
      return node
    }
    if (usable.length === 0 || hasAnswered || performance.now() >= deadline) return null
    await pause(POLL_MS)
  }
}

function isEveryOther({ nodes, checkedVerdict }: NodePool): boolean {
  return nodes.every((node) => checkedVerdict(node) === 'other_chain')
}
