import { setTimeout as pause } from 'node:timers/promises'
import { type BlockId, isSameBlock, type NodeHead } from './judge-nodes.ts'
import type { RpcNode } from './node.ts'

/** The milliseconds between two requests to a node that does not have a block yet. */
const POLL_MS = 250

export interface AgreementOptions {
  current: () => RpcNode
  /** Returns the nodes with the verdict `ok` or `forked`, except the current node. */
  others: () => RpcNode[]
  /** The longest time, in milliseconds, that the check waits for a node to receive a block. */
  timeoutMs: number
}

/** Checks whether the other nodes also have the blocks of the current node. */
export interface Agreement {
  /**
   * Returns true if the current node and at least one other node have the block. If no other node answers, only the
   * current node must have the block. The method waits up to `timeoutMs` milliseconds for nodes that lack the block.
   */
  confirm(block: BlockId): Promise<boolean>
  /**
   * Returns true if the current node has the block and no other node has a different block at the same height. The
   * method does not wait.
   */
  isUndisputed(block: BlockId): Promise<boolean>
  /**
   * Finds the newest block, not above `head`, that the current node and a second node have. If `others` returns no
   * node, returns `head`. If no second node shares a block with the current node, returns null.
   */
  findConfirmedHead(head: NodeHead): Promise<NodeHead | null>
}

/** Creates the check of whether the other nodes also have the blocks of the current node. */
export function createAgreement({ current, others, timeoutMs }: AgreementOptions): Agreement {
  /** The block that was most recently found on a node other than the current node. */
  let seenElsewhere: BlockId | null = null
  let runningConfirmation: { block: BlockId; answer: Promise<boolean> } | null = null

  /** Returns what `confirm` can answer now, without waiting; null if some nodes do not have the block yet. */
  const findVerdict = async (block: BlockId): Promise<boolean | null> => {
    const [askedNodes, isSeen] = [others(), seenElsewhere !== null && isSameBlock(seenElsewhere, block)]
    const answers = isSeen ? [] : askedNodes.map((node) => node.findHash(block.number))
    const [hash, isOfAnother] = await Promise.all([
      current().findHash(block.number),
      askedNodes.length === 0 ||
        isSeen ||
        isAnyTrue(answers.map((answer) => answer.then((each) => each === block.hash))),
    ])
    if (isOfAnother && askedNodes.length > 0) seenElsewhere = block
    if (hash === null) return null
    if (hash !== block.hash || isOfAnother) return hash === block.hash
    return (await Promise.all(answers)).includes(null) ? null : false
  }
  const confirm = async (block: BlockId): Promise<boolean> => {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const verdict = await findVerdict(block)
      if (verdict !== null || performance.now() >= deadline) return verdict === true
      await pause(POLL_MS)
    }
  }
  return {
    confirm: (block) => {
      // All writes of a block wait for the same answer.
      if (runningConfirmation === null || !isSameBlock(runningConfirmation.block, block)) {
        const confirmation = { block, answer: confirm(block) }
        runningConfirmation = confirmation
        confirmation.answer
          .finally(() => {
            if (runningConfirmation === confirmation) runningConfirmation = null
          })
          .catch(() => {})
      }
      return runningConfirmation.answer
    },
    isUndisputed: async ({ number, hash }) => {
      const isDisputed = (node: RpcNode) => node.findHash(number).then((answer) => answer !== null && answer !== hash)
      const [isOfCurrent, isOther] = await Promise.all([
        has(current(), { number, hash }),
        isAnyTrue(others().map(isDisputed)),
      ])
      return isOfCurrent && !isOther
    },
    findConfirmedHead: async (head) => {
      const askedNodes = others()
      if (askedNodes.length === 0) return head
      const sharedHeads = await Promise.all(askedNodes.map((node) => findShared(current(), { node, head })))
      return sharedHeads.reduce((newest, each) => (each !== null && isNewer(each, newest) ? each : newest), null)
    },
  }
}

/**
 * Returns `head` (the newest block of `current`) or the newest block of `node`, whichever is lower, if both nodes have
 * this block. Returns null if one of the two nodes does not have this block.
 */
async function findShared(
  current: RpcNode,
  { node, head }: { node: RpcNode; head: NodeHead },
): Promise<NodeHead | null> {
  const other = await node.findHead()
  if (other === null) return null
  if (other.number < head.number) return (await has(current, other)) ? other : null
  const isShared = other.number === head.number ? other.hash === head.hash : await has(node, head)
  return isShared ? head : null
}

function isNewer(head: NodeHead, than: NodeHead | null): boolean {
  return than === null || head.number > than.number
}

async function has(node: RpcNode, { number, hash }: BlockId): Promise<boolean> {
  return (await node.findHash(number)) === hash
}

/** Resolves with true after the first promise that resolves with true. If no promise does, resolves with false. */
export async function isAnyTrue(answers: readonly Promise<boolean>[]): Promise<boolean> {
  try {
    return await Promise.any(answers.map((answer) => answer.then((is) => (is ? true : Promise.reject(new Error())))))
  } catch {
    return false
  }
}
