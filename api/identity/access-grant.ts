import { createHmac } from 'node:crypto'
import type { Hex } from 'viem'
import { isSameText } from './constant-time.ts'
import { deriveKey } from './derive-key.ts'

/**
 * The lifetime of a grant in seconds. A grant permits its holder to read a private task (specification, "Private
 * access").
 */
export const GRANT_LIFETIME_SECONDS = 86_400n

/** The task and password for which a grant is valid. */
export interface GrantSubject {
  taskId: Hex
  /**
   * A value that changes with the task's password, such as the salt of the password's hash. A new password invalidates
   * all grants.
   */
  passwordVersion: string
}

/** A grant, whose holder may read a private task. `expiresAt` is compared with block times, in Unix seconds. */
export interface AccessGrant {
  grant: string
  expiresAt: bigint
}

/**
 * Creates a grant for one task: `1.<expiresAt>.<HMAC>`. Nothing is stored: any process with the secret can verify the
 * grant. A new secret or password invalidates the grant.
 * @param now timestamp of the latest block, in Unix seconds
 */
export function mintAccessGrant(secret: string, subject: GrantSubject, now: bigint): AccessGrant {
  const expiresAt = now + GRANT_LIFETIME_SECONDS
  return { grant: grantOf(secret, subject, expiresAt), expiresAt }
}

/**
 * Returns true if the text is a valid grant for this task under its current password. Never throws.
 * @param now timestamp of the latest block, in Unix seconds
 */
export function isAccessGrant(secret: string, text: string | undefined, subject: GrantSubject, now: bigint): boolean {
  const expiresAt = /^1\.([0-9]{1,12})\.[\w-]{43}$/.exec(text ?? '')?.[1]
  if (text === undefined || expiresAt === undefined) return false
  return now < BigInt(expiresAt) && isSameText(text, grantOf(secret, subject, BigInt(expiresAt)))
}

/** Returns the text of a grant: the expiry, and an HMAC with a key that is derived from `secret`. */
function grantOf(secret: string, { taskId, passwordVersion }: GrantSubject, expiresAt: bigint): string {
  // The password version is the last part of the signed text, so it cannot be read as a task or time.
  const mac = createHmac('sha256', deriveKey(secret, 'task-access-grant'))
    .update(`${taskId}:${expiresAt}:${passwordVersion}`)
    .digest('base64url')
  return `1.${expiresAt}.${mac}`
}
