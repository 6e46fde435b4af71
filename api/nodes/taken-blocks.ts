import type { TakenBlock } from './check-nodes.ts'
import type { BlockId, NodeHead } from './judge-nodes.ts'
import type { RpcNode } from './node.ts'

/** Taken blocks that are remembered. */
const REMEMBERED_BLOCKS = 16n

/** The newest blocks that were taken from the nodes. */
export interface TakenBlocks {
  /** The anchor: the newest block. Answers are of a chain that has it. Null: none was taken, or the chain went on without it. */
  anchor(): TakenBlock | null
  /** The time at which the anchor was taken, as `performance.now()` counts. */
  anchoredAt(): number
  /** Takes the newest block of the current node. */
  take(head: NodeHead): void
  /** Makes an earlier block the anchor again, or none. */
  returnTo(anchor: TakenBlock | null): void
  /** The time at which a block was first taken; null: it was not. */
  takenAt(block: BlockId): number | null
  /** True when a node has the anchor. */
  isAnchoredOn(node: RpcNode): Promise<boolean>
}

/** Creates an empty memory of taken blocks. */
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
