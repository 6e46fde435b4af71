import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from '../../identity/derive-key.ts'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The secrets that open sealed keys, the sealing one first. URL_SIGNING_SECRET stands last in any case: it sealed
 * whatever was registered before the deployment had a secret of its own.
 */
export function keySecrets(config: { DEVICE_KEY_SECRET: string[]; URL_SIGNING_SECRET: string }): [string, ...string[]] {
  const [first, ...rest] = [...config.DEVICE_KEY_SECRET, config.URL_SIGNING_SECRET]
  return [first ?? config.URL_SIGNING_SECRET, ...rest]
}

/**
 * A key as it is stored in the database: version, nonce, tag, AES-256-GCM ciphertext. Bound to its device, so that no
 * one who writes rows who can write rows reads one device's key with another's token.
 */
export function sealKey(secret: string, deviceId: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, deriveKey(secret, 'device-encryption-key'), nonce)
  cipher.setAAD(Buffer.from(deviceId))
  const ciphertext = Buffer.concat([cipher.update(key), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext])
}

/**
 * The key of a device.
 * @throws Error when none of the secrets sealed it
 */
export function openKey(secrets: readonly string[], deviceId: string, sealed: Buffer): Buffer {
  for (const secret of secrets) {
    const key = tryToOpen(secret, deviceId, sealed)
    if (key !== null) return key
  }
  throw new Error(`no secret opens the key of device ${deviceId}: DEVICE_KEY_SECRET must list the one that sealed it`)
}

function tryToOpen(secret: string, deviceId: string, sealed: Buffer): Buffer | null {
  if (sealed[0] !== VERSION) return null
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  const key = deriveKey(secret, 'device-encryption-key')
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(deviceId)).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    // The tag does not fit (another secret, another device's key), or this is no sealed key at all.
    return null
  }
}
