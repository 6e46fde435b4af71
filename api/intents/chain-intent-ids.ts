import { randomBytes } from 'node:crypto'
import { bytesToHex, concatHex, type Hex, numberToHex } from 'viem'

/**
 * Returns a function that creates the intent ids that the forwarder marks as used. The forwarder stores one bit for
 * each id, and 256 ids with the same prefix share a storage word. Writing to a word that is not empty costs 17,000 gas
 * less, so one process numbers its ids consecutively. The prefix is random, so that two processes, or a database
 * restored from a backup, never repeat an id.
 */
export function createChainIntentIds(): () => Hex {
  const prefix = bytesToHex(randomBytes(24))
  let count = 0n
  return () => {
    const id = concatHex([prefix, numberToHex(count, { size: 8 })])
    count += 1n
    return id
  }
}
