import { type BlockHeader, heightOf } from './block-header.ts'

/** Decides which block headers from a socket and from polls are new. */
export interface HeadOrder {
  /** Returns the newest block header; null before the first header has arrived. */
  current(): BlockHeader | null
  /** Returns the number of headers that the socket has delivered. */
  toldCount(): number
  /**
   * Adds a block header from the socket.
   * @returns true if the header is now the newest
   */
  tell(header: BlockHeader): boolean
  /**
   * Adds a header from a poll. Returns true if the header is now the newest.
   * @param toldCount value of `toldCount()` before the poll's request; if the value has changed since, the poll's
   * header is ignored
   */
  poll(header: BlockHeader, toldCount: number): boolean
}

export function createHeadOrder(): HeadOrder {
  let currentHeader: BlockHeader | null = null
  let tellCount = 0
  /** The block header of the most recent poll, if that header was lower than the newest header; else null. */
  let lowerHeader: BlockHeader | null = null

  const take = (header: BlockHeader): boolean => {
    currentHeader = header
    lowerHeader = null
    return true
  }
  return {
    current: () => currentHeader,
    toldCount: () => tellCount,
    tell: (header) => {
      tellCount += 1
      if (currentHeader === null) return take(header)
      // A lower head is late, or the first of a reorg, of which the last one counts.
      const isNewer = heightOf(header) >= heightOf(currentHeader) && header.hash !== currentHeader.hash
      return isNewer ? take(header) : false
    },
    poll: (header, toldCount) => {
      if (currentHeader === null) return take(header)
      if (toldCount !== tellCount || header.hash === currentHeader.hash) {
        lowerHeader = null
        return false
      }
      if (heightOf(header) >= heightOf(currentHeader) || header.hash === lowerHeader?.hash) return take(header)
      // One of several nodes behind a URL may be late. A chain that became shorter is still so at the next poll.
      lowerHeader = header
      return false
    },
  }
}
