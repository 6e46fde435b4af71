import { type BlockHeader, heightOf } from './block-header.ts'

/** The order of heads from a socket and from polls. It decides which of them are new. */
export interface HeadOrder {
  /** The newest head; null before the first. */
  current(): BlockHeader | null
  /** Number of heads from the socket. */
  toldCount(): number
  /** Adds a head from the socket. @returns true if it is the newest now */
  tell(header: BlockHeader): boolean
  /**
   * Adds the answer of a poll.
   * @param toldCount value before the request: the socket may have delivered a newer head meanwhile
   * @returns true if it is the newest now
   */
  poll(header: BlockHeader, toldCount: number): boolean
}

export function createHeadOrder(): HeadOrder {
  let current: BlockHeader | null = null
  let tellCount = 0
  /** A lower head of the last poll. */
  let lower: BlockHeader | null = null

  const take = (header: BlockHeader): boolean => {
    current = header
    lower = null
    return true
  }
  return {
    current: () => current,
    toldCount: () => tellCount,
    tell: (header) => {
      tellCount += 1
      if (current === null) return take(header)
      // A lower head is late, or the first of a reorg, of which the last one counts.
      const isNewer = heightOf(header) >= heightOf(current) && header.hash !== current.hash
      return isNewer ? take(header) : false
    },
    poll: (header, toldCount) => {
      if (current === null) return take(header)
      if (toldCount !== tellCount || header.hash === current.hash) {
        lower = null
        return false
      }
      if (heightOf(header) >= heightOf(current) || header.hash === lower?.hash) return take(header)
      // One of several nodes behind a URL may be late. A chain that became shorter is still so at the next poll.
      lower = header
      return false
    },
  }
}
