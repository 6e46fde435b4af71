import { createHmac } from 'node:crypto'
import type { Hex } from 'viem'
import { deriveKey } from '../../identity/derive-key.ts'

/**
 * What a sealed bid goes by to others: the same each time, and nothing that follows from its worker without our key.
 * A bid's own id is a hash of task and worker, which any caller who guesses the worker can compute.
 */
export function sealedBidIds(secret: string): (bidId: Hex) => Hex {
  const key = deriveKey(secret, 'sealed-bid-id')
  return (bidId) => `0x${createHmac('sha256', key).update(bidId).digest('hex')}`
}
