import { hkdfSync } from 'node:crypto'

/**
 * Derives a separate key for each purpose of a secret (HKDF-SHA256), so that one key discloses nothing about another.
 */
export function deriveKey(
  secret: string,
  purpose: 'task-access-grant' | 'device-encryption-key' | 'webhook-secret' | 'sealed-bid-id' | 'request-secret',
): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}
