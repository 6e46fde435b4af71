import { setTimeout as pause } from 'node:timers/promises'
import type { RpcAnswer, RpcRequest } from './exchange.ts'
import type { JudgeAnswer } from './judge-answer.ts'
import type { RpcNode } from './node.ts'
import type { NodePool } from './node-pool.ts'
import { pinState } from './pin-state.ts'
import type { TakenBlocks } from './taken-blocks.ts'

const NEWEST_BLOCK = { method: 'eth_getBlockByNumber', params: ['latest', false] }
/** The milliseconds between two requests to a node for a block that it may receive soon. */
const POLL_MS = 50

export interface RequestOptions {
  pool: NodePool
  takenBlocks: TakenBlocks
  judgeAnswer: JudgeAnswer
  chainId: number
  /** The time limit in milliseconds for one wait for a node with the newest accepted block. */
  timeoutMs: number
}

/**
 * Sends a request to the current node. If no answer arrives, or the answer is not judged `good` (see `Judgement`), the
 * request is sent to the next node that has the newest accepted block.
 * @throws the error of the last node when none answers
 */
export async function requestAny(options: RequestOptions, body: RpcRequest): Promise<RpcAnswer> {
  const { pool, takenBlocks, judgeAnswer, chainId } = options
  const newest = takenBlocks.anchor()
  const pinnedBody = pinState(body, newest)
  const triedNodes = new Set<RpcNode>()
  let doubtfulAnswer: RpcAnswer | null = null
  /** True if the most recently asked node answered that it lacks the requested block. Perhaps no node has the block. */
  let isUnknown = false
  let failure: unknown = new Error(`no node of chain ${chainId} answers`)
  const current = pool.current()
  const start = current.isPaused() ? await findOther(options, new Set([current])) : current
  for (let node = start; node !== null; node = await findOther(options, triedNodes, isUnknown)) {
    triedNodes.add(node)
    const isOfOtherChain = pool.checkedVerdict(node) === 'other_chain'
    // Where every node is, the caller learns from the answers which chain it is.
    if (isOfOtherChain && !(body.method === 'eth_chainId' && isEveryOther(pool))) continue
    try {
      const askedAt = performance.now()
      const answer = await node.ask(pinnedBody)
      const judgement = await judgeAnswer(node, { body, answer, askedAt })
      if (judgement === 'good') {
        if (isUnknown) pool.use(node)
        return answer
      }
      if (judgement === 'doubtful') doubtfulAnswer = answer
      isUnknown = judgement === 'doubtful' && !answer.error
    } catch (error) {
      isUnknown = false
      failure = error
    }
  }
  if (doubtfulAnswer === null) throw failure
  if (pinnedBody === body || !doubtfulAnswer.error) return doubtfulAnswer
  // No node has the newest block that was taken: a reorg removed it, or it was of a node that is not used any more.
  if (takenBlocks.anchor() === newest) await requestAny(options, NEWEST_BLOCK)
  return takenBlocks.anchor() === newest ? doubtfulAnswer : await requestAny(options, body)
}

/**
 * Finds the next node that was not tried yet and has the newest accepted block. Waits up to `timeoutMs` for a node with
 * this block. If the current node is paused or gave no usable answer, makes the found node the current node. Returns
 * null if no node is found.
 * @param hasAnswered true if the most recently tried node answered that it lacks the requested block; the function then
 * does not wait, and the current node stays
 */
async function findOther(
  { pool, takenBlocks, timeoutMs }: RequestOptions,
  triedNodes: ReadonlySet<RpcNode>,
  hasAnswered = false,
): Promise<RpcNode | null> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const usableNodes = pool.nodes.filter((node) => !triedNodes.has(node) && pool.verdictOf(node) === 'ok')
    for (const node of usableNodes) {
      if (!(await takenBlocks.isAnchoredOn(node))) continue
      if (triedNodes.has(pool.current()) && !hasAnswered) pool.use(node)
      return node
    }
    if (usableNodes.length === 0 || hasAnswered || performance.now() >= deadline) return null
    await pause(POLL_MS)
  }
}

function isEveryOther({ nodes, checkedVerdict }: NodePool): boolean {
  return nodes.every((node) => checkedVerdict(node) === 'other_chain')
}
