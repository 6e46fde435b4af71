import type { Hex } from 'viem'

/** A block, identified by height and hash. */
export interface BlockId {
  number: bigint
  hash: Hex
}

export function isSameBlock(a: BlockId, b: BlockId): boolean {
  return a.number === b.number && a.hash === b.hash
}

/** The header of a node's newest block. */
export interface NodeHead extends BlockId {
  parentHash: Hex
  /** The block's timestamp, in Unix seconds. */
  timestamp: bigint
}

/** The result of one check of one node. `head` is null if the node gave no answer. */
export interface NodeCheck {
  head: NodeHead | null
  /** True if the node serves another chain than the deployment's. */
  isOtherChain: boolean
  /** True if the timestamp or height of the node's newest block is implausible by the host's clock. */
  isStale: boolean
  /** The hashes of the node's blocks by height, at the heights at which nodes are compared. */
  hashes: ReadonlyMap<bigint, Hex>
}

/**
 * The verdicts about a node.
 * - `ok`: the node may be used.
 * - `silent`: the node gave no answer, or demanded a pause.
 * - `other_chain`: the node has a wrong chain id.
 * - `stale`: by the host's clock, the newest block of the node is implausible, and the newest block of another node is
 * plausible.
 * - `forked`: most nodes have a different block at a height that the node has too.
 * - `behind`: the newest block of the node is more than five blocks below the highest block of the nodes that are `ok`.
 */
export const verdicts = ['ok', 'silent', 'other_chain', 'stale', 'forked', 'behind'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * A node is `behind` if its newest block is more than this number of blocks below the highest block of the `ok` nodes.
 */
export const MOST_BLOCKS_BEHIND = 5n

/** The node and the block that the service prefers if the nodes disagree. */
export interface Reference {
  /** The index of the node that is currently used. */
  current: number
  /**
   * The newest block that the service accepted from the nodes. Null if it has accepted no block. If the nodes disagree
   * about the right chain, a node that has this block has one and a half votes.
   */
  anchor: BlockId | null
}

/**
 * Judges the nodes by comparing their blocks. If the nodes have different blocks at a height, each node votes for its
 * own block, and the block with the most votes is right. A node that has the anchor has one and a half votes. If two
 * blocks have equal votes, the block of the current node is right.
 *
 * Example: node A has block 100 with the hash 0xaa. Node B has block 100 with the hash 0xbb. Node C has block 101, and
 * its block 100 has the hash 0xbb. The verdicts are `forked`, `ok`, `ok`.
 * @returns one verdict for each check, in the order of the checks
 */
export function judgeNodes(checks: readonly NodeCheck[], { current, anchor }: Reference): Verdict[] {
  const isAnyTimely = checks.some(({ head, isOtherChain, isStale }) => head !== null && !isOtherChain && !isStale)
  const verdictBefore = ({ head, isOtherChain, isStale }: NodeCheck): Verdict => {
    if (isOtherChain) return 'other_chain'
    if (head === null) return 'silent'
    return isStale && isAnyTimely ? 'stale' : 'ok'
  }
  const results = checks.map(verdictBefore)
  const candidates = checks.flatMap((check, index) => (results[index] === 'ok' ? [{ check, index }] : []))
  const weightOf = (check: NodeCheck): number =>
    anchor !== null && hashAt(check, anchor.number) === anchor.hash ? 3 : 2
  const supportOf = (check: NodeCheck): number =>
    candidates.reduce((sum, other) => sum + (agree(check, other.check) ? weightOf(other.check) : 0), 0)
  const rankedCandidates = candidates.map(({ check, index }) => ({ check, index, support: supportOf(check) }))
  const highestSupport = Math.max(...rankedCandidates.map(({ support }) => support))
  const bestCandidates = rankedCandidates.filter(({ support }) => support === highestSupport)
  const reference = bestCandidates.find(({ index }) => index === current) ?? bestCandidates[0]
  if (reference === undefined) return results
  for (const { check, index } of candidates) if (!agree(check, reference.check)) results[index] = 'forked'
  const highest = candidates.reduce(
    (height, { check, index }) => (results[index] === 'ok' ? larger(height, heightOf(check)) : height),
    0n,
  )
  for (const { check, index } of candidates) {
    if (results[index] === 'ok' && highest - heightOf(check) > MOST_BLOCKS_BEHIND) results[index] = 'behind'
  }
  return results
}

/**
 * Returns the hash of a node's block at a height. Undefined if the height was not requested or is above the node's
 * head.
 */
export function hashAt({ head, hashes }: NodeCheck, height: bigint): Hex | undefined {
  if (head?.number === height) return head.hash
  if (head !== null && head.number === height + 1n) return head.parentHash
  return hashes.get(height)
}

/** Returns true if two nodes have the same block at the height of the lower of their newest blocks. */
function agree(a: NodeCheck, b: NodeCheck): boolean {
  const height = smaller(heightOf(a), heightOf(b))
  const hash = hashAt(a, height)
  return hash !== undefined && hash === hashAt(b, height)
}

function heightOf({ head }: NodeCheck): bigint {
  return head?.number ?? 0n
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
