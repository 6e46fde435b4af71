import { randomBytes } from 'node:crypto'
import { bytesToHex, concatHex, type Hex, numberToHex } from 'viem'

/**
 * Makes ids under which the forwarder consumes intents. It keeps one bit an intent, 256 ids that differ in their last
 * byte only to a storage word, and a call whose storage word is in use costs 17,000 gas less: so the ids of one process
 * are numbered. Where they begin is random: two processes, or one database restored from a backup, never name an intent
 * like one that acted before.
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
