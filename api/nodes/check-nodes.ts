import type { Hex } from 'viem'
import { isHeadStale, MOST_HEAD_AGE_SECONDS } from '../../protocol/windows.ts'
import { type BlockId, hashAt, type NodeCheck, type NodeHead } from './judge-nodes.ts'
import type { RpcNode } from './node.ts'

/** A block that this service has accepted as the newest block. `timestamp` is in Unix seconds. */
export type TakenBlock = BlockId & { timestamp: bigint }

export interface CheckOptions {
  /** The chain id of the deployment. */
  chainId: number
  /** True for a local development chain. Its block times may differ from the host's clock. */
  isLocal: boolean
  /** The newest block that the service accepted from the nodes. Null if it has accepted no block. */
  anchor: TakenBlock | null
}

/**
 * Reads the data from which `judgeNodes` judges each node: the head, and the blocks that are compared. A paused node is
 * not asked, and its check is empty.
 */
export async function checkNodes(nodes: readonly RpcNode[], options: CheckOptions): Promise<NodeCheck[]> {
  const checks = await Promise.all(nodes.map((node) => checkNode(node, options)))
  const heads = checks.flatMap(({ head }) => (head === null ? [] : [head.number]))
  const { anchor } = options
  const heights = [...new Set(anchor === null ? heads : [...heads, anchor.number])]
  return await Promise.all(
    nodes.map((node, index) => withHashes(node, { check: checks[index] ?? silentCheck, heights })),
  )
}

const silentCheck: NodeCheck = { head: null, isOtherChain: false, isStale: false, hashes: new Map() }

async function checkNode(node: RpcNode, { chainId, isLocal, anchor }: CheckOptions): Promise<NodeCheck> {
  if (node.isPaused()) return silentCheck
  const [servedId, head] = await Promise.all([node.findChainId(), node.findHead()])
  if (servedId !== null && servedId !== chainId) return { ...silentCheck, isOtherChain: true }
  if (servedId === null || head === null) return silentCheck
  return { ...silentCheck, head, isStale: !isLocal && !isSupportedByClock(head, anchor) }
}

/**
 * Returns true if the timestamp and the height of `head` are plausible by the host's clock. A chain makes at most one
 * block per second. So since the anchor (the newest accepted block), the height may not have grown by more than the
 * passed seconds plus a tolerance.
 */
function isSupportedByClock(head: NodeHead, anchor: TakenBlock | null): boolean {
  const current = BigInt(Math.floor(Date.now() / 1000))
  if (isHeadStale({ head: head.timestamp, current })) return false
  return anchor === null || head.number - anchor.number <= current + MOST_HEAD_AGE_SECONDS - anchor.timestamp
}

/**
 * Adds hashes of the node's blocks to the check, at the given heights. These are the heights of the other nodes' newest
 * blocks and of the newest accepted block. Only heights below the node's own newest block are read.
 */
async function withHashes(
  node: RpcNode,
  { check, heights }: { check: NodeCheck; heights: readonly bigint[] },
): Promise<NodeCheck> {
  const { head } = check
  if (head === null) return check
  const missingHeights = heights.filter((height) => height < head.number && hashAt(check, height) === undefined)
  const answers = await Promise.all(
    missingHeights.map(async (height) => [height, await node.findHash(height)] as const),
  )
  const hashes = answers.filter((answer): answer is readonly [bigint, Hex] => answer[1] !== null)
  return { ...check, hashes: new Map(hashes) }
}
