import { hkdfSync } from 'node:crypto'

/** A key of its own for each use of a secret (HKDF-SHA256), so that what one use shows says nothing about another. */
export function deriveKey(
  secret: string,
  purpose: 'task-access-grant' | 'device-encryption-key' | 'webhook-secret' | 'sealed-bid-id' | 'request-secret',
): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}
