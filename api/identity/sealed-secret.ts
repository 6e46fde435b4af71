import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from './derive-key.ts'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The purpose and the row of a sealed (encrypted) secret. A secret cannot be opened for another purpose or row. */
export interface SealedFor {
  purpose: 'device-encryption-key' | 'webhook-secret'
  /** The id of the device or webhook. */
  id: string
}

/**
 * Returns the secrets that decrypt stored device keys and webhook secrets. The first secret encrypts new values.
 * URL_SIGNING_SECRET is always last, for old values.
 */
export function keySecrets(config: { DEVICE_KEY_SECRET: string[]; URL_SIGNING_SECRET: string }): [string, ...string[]] {
  const [first, ...earlierSecrets] = [...config.DEVICE_KEY_SECRET, config.URL_SIGNING_SECRET]
  return [first ?? config.URL_SIGNING_SECRET, ...earlierSecrets]
}

/**
 * Returns the encrypted form of a secret for storage: version, nonce, tag, AES-256-GCM ciphertext. The ciphertext is
 * bound to its purpose and row, so it is useless in any other row. Example: `sealSecret(secret, { purpose:
 * 'device-encryption-key', id: device }, key)`.
 */
export function sealSecret(secret: string, { purpose, id }: SealedFor, bytes: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, deriveKey(secret, purpose), nonce)
  cipher.setAAD(Buffer.from(id))
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext])
}

/**
 * Decrypts a sealed secret. Tries each of `secrets` (see `keySecrets`) as the key.
 * @throws Error if `sealedBytes` was not encrypted with one of `secrets`
 */
export function openSecret(secrets: readonly string[], of: SealedFor, sealedBytes: Buffer): Buffer {
  for (const secret of secrets) {
    const bytes = tryToOpen(secret, of, sealedBytes)
    if (bytes !== null) return bytes
  }
  throw new Error(`no secret opens the ${of.purpose} of ${of.id}: DEVICE_KEY_SECRET must list the one that sealed it`)
}

function tryToOpen(secret: string, { purpose, id }: SealedFor, sealedBytes: Buffer): Buffer | null {
  if (sealedBytes[0] !== VERSION) return null
  const nonce = sealedBytes.subarray(1, 1 + NONCE_BYTES)
  const tag = sealedBytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(ALGORITHM, deriveKey(secret, purpose), nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(id)).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealedBytes.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    // The tag does not fit (another secret or row), or this is no sealed secret.
    return null
  }
}
