import type { Hex } from 'viem'

/** A block as nodes name it. */
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
  /** Unix seconds. */
  timestamp: bigint
}

/** The finding of one check of one node; null head: it gave no answer. */
export interface NodeCheck {
  head: NodeHead | null
  /** True if it serves another chain than the deployment's. */
  isOtherChain: boolean
  /** True if the host's clock does not support its head, by time or by height. */
  isStale: boolean
  /** Hashes of its blocks at the heights that were compared. */
  hashes: ReadonlyMap<bigint, Hex>
}

/**
 * `ok`: may be used. `silent`: gave no answer, or asked for a pause. `other_chain`: has another chain id. `stale`: the host's
 * clock does not support its head, and supports another node's. `forked`: has another block than most at a height that both have. `behind`: is more than
 * five blocks below the highest.
 */
export const verdicts = ['ok', 'silent', 'other_chain', 'stale', 'forked', 'behind'] as const
export type Verdict = (typeof verdicts)[number]

/** Blocks that a node may be below the highest. */
export const MOST_BLOCKS_BEHIND = 5n

/** The node and the block that nodes are compared with besides each other. */
export interface Reference {
  /** Index of the node that is used now. */
  current: number
  /** The newest block that was taken from the nodes; null: none. A node that has it counts as one and a half. */
  anchor: BlockId | null
}

/**
 * Judges the nodes by each other: of blocks at one height the one counts that more nodes have, and of two equal parties the one
 * of the node that is used now.
 *
 * Example: heads 100 (0xaa), 100 (0xbb), 101 (whose block 100 is 0xbb) are `forked`, `ok`, `ok`.
 * @returns one verdict for each check, in their order
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
  const ranked = candidates.map(({ check, index }) => ({ check, index, support: supportOf(check) }))
  const highestSupport = Math.max(...ranked.map(({ support }) => support))
  const best = ranked.filter(({ support }) => support === highestSupport)
  const reference = best.find(({ index }) => index === current) ?? best[0]
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

/** The hash of a node's block at a height, as far as it was asked; undefined: unknown, or above its head. */
export function hashAt({ head, hashes }: NodeCheck, height: bigint): Hex | undefined {
  if (head?.number === height) return head.hash
  if (head !== null && head.number === height + 1n) return head.parentHash
  return hashes.get(height)
}

/** Two nodes agree when they have the same block at the lower of their heads. */
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
