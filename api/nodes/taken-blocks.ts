import type { TakenBlock } from './check-nodes.ts'
import type { BlockId, NodeHead } from './judge-nodes.ts'
import type { RpcNode } from './node.ts'

/** The number of heights for which accepted blocks are remembered. */
const REMEMBERED_BLOCKS = 16n

/** The newest blocks that the service accepted from the nodes. Later answers must belong to the same chain. */
export interface TakenBlocks {
  /**
   * Returns the anchor: the newest accepted block. Null if no block was accepted yet, or the chain no longer contains
   * the last accepted block.
   */
  anchor(): TakenBlock | null
  /** Returns the time at which the anchor (the newest accepted block) was accepted, by `performance.now()`. */
  anchoredAt(): number
  /** Accepts the newest block of the current node as the anchor. */
  take(head: NodeHead): void
  /** Makes an earlier block the anchor (the newest accepted block) again; null for no anchor. */
  returnTo(anchor: TakenBlock | null): void
  /**
   * Returns the time at which a block was first accepted, by `performance.now()`. Null if the block was not accepted.
   */
  takenAt(block: BlockId): number | null
  /** Returns true if the node has the anchor (the newest accepted block), or if no anchor exists. */
  isAnchoredOn(node: RpcNode): Promise<boolean>
}

/** Creates the store of accepted blocks, which is empty at first. */
export function createTakenBlocks(): TakenBlocks {
  const blocks = new Map<bigint, { hash: string; takenAt: number }>()
  let anchor: TakenBlock | null = null
  let anchoredAt = Number.NEGATIVE_INFINITY

  const takenAt = ({ number, hash }: BlockId): number | null => {
    const block = blocks.get(number)
    return block?.hash === hash ? block.takenAt : null
  }
  const remember = (block: BlockId): void => {
    if (takenAt(block) === null) blocks.set(block.number, { hash: block.hash, takenAt: performance.now() })
  }
  return {
    anchor: () => anchor,
    anchoredAt: () => anchoredAt,
    takenAt,
    take: ({ number, hash, parentHash, timestamp }) => {
      anchor = { number, hash, timestamp }
      anchoredAt = performance.now()
      remember({ number: number - 1n, hash: parentHash })
      remember({ number, hash })
      for (const height of blocks.keys()) if (height < number - REMEMBERED_BLOCKS) blocks.delete(height)
    },
    returnTo: (block) => {
      anchor = block
    },
    isAnchoredOn: async (node) => {
      // Another block may be taken before the node answers.
      const wantedBlock = anchor
      return wantedBlock === null || (await node.findHash(wantedBlock.number)) === wantedBlock.hash
    },
  }
}
