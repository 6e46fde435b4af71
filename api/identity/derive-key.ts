import { hkdfSync } from 'node:crypto'

/**
 * Derives a separate key from a secret for each purpose (HKDF-SHA256). One key discloses nothing about the keys of
 * other purposes.
 */
export function deriveKey(
  secret: string,
  purpose: 'task-access-grant' | 'device-encryption-key' | 'webhook-secret' | 'sealed-bid-id' | 'request-secret',
): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}
