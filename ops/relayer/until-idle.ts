import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import type { Place } from './place.ts'
import { readRelayer } from './read-relayers.ts'

/**
 * The longest time in milliseconds to wait until a relayer's work has ended. A block becomes safe within a few minutes.
 */
const DEADLINE_MS = 900_000
const POLL_MS = 1_000

/**
 * Waits until a relayer has no unfinished work: all nonces are mined, and no write or refund is pending.
 * @param isFinal true to wait longer, until the blocks that contain the mined work are safe. A reorg can undo a block
 * that is not safe. The relayer would then need ether to send the transactions again
 * @throws Error with the remaining work after 15 minutes
 */
export async function untilIdle(
  place: Place,
  address: Address,
  { isFinal, say }: { isFinal: boolean; say: (line: string) => void },
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  let saidLine = ''
  for (;;) {
    const { latestNonce, pendingNonce, work } = await readRelayer(place, address)
    const openNonces = Math.max(pendingNonce, Number(work?.nextNonce ?? 0n)) - latestNonce
    const { onTheWay = 0, notFinal = 0 } = work ?? {}
    const obstacles = [
      openNonces > 0 && `${openNonces} nonces are not mined (from ${latestNonce} on)`,
      onTheWay > 0 && `${onTheWay} writes are on their way`,
      isFinal && notFinal > 0 && `${notFinal} writes are in blocks that are not safe yet`,
    ].filter((part) => part !== false)
    if (obstacles.length === 0) return
    const line = `waiting for ${address}: ${obstacles.join(', ')}`
    if (line !== saidLine) say(line)
    saidLine = line
    if (Date.now() > deadline) {
      throw new Error(
        `${line}. While a process still has this key, the work does not end: take it out of RELAYER_KEYS or RELAYER_SIGNERS of all ` +
          'of them first. The same command goes on from here.',
      )
    }
    await delay(POLL_MS)
  }
}
