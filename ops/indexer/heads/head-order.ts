import { type BlockHeader, heightOf } from './block-header.ts'

/** Which of the heads that a socket and polls tell of are new, in the order of the chain. */
export interface HeadOrder {
  /** The newest head; null before the first. */
  current(): BlockHeader | null
  /** How many heads the socket has told. */
  toldCount(): number
  /** A head from the socket. @returns whether it is the newest now */
  tell(header: BlockHeader): boolean
  /**
   * The answer of a poll.
   * @param toldCount from before the question: a head that the socket told meanwhile may be newer than the answer
   * @returns whether it is the newest now
   */
  poll(header: BlockHeader, toldCount: number): boolean
}

export function createHeadOrder(): HeadOrder {
  let current: BlockHeader | null = null
  let tellCount = 0
  /** A lower head that the last poll found. */
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
      // A lower one comes late, or is the first of a reorg, whose last one counts.
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
      // One of several nodes behind a URL may be late; a chain that got shorter is so at the next poll too.
      lower = header
      return false
    },
  }
}
