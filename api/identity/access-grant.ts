import { createHmac } from 'node:crypto'
import type { Hex } from 'viem'
import { isSameText } from './constant-time.ts'
import { deriveKey } from './derive-key.ts'

/** The lifetime of a grant, seconds (Spec, "Private access"). */
export const GRANT_LIFETIME_SECONDS = 86_400n

/** The subject that a grant is bound to. */
export interface GrantSubject {
  taskId: Hex
  /** A value that changes with the task's password, such as the salt of its hash: a new password ends all grants. */
  passwordVersion: string
}

/** A minted grant. `expiresAt` is a block time, Unix seconds. */
export interface AccessGrant {
  grant: string
  expiresAt: bigint
}

/**
 * Mints a grant for one task: `1.<expiresAt>.<HMAC>`. Nothing is stored: any process with the secret can check it. A
 * new secret or password ends it.
 * @param now time of the chain head, Unix seconds
 */
export function mintAccessGrant(secret: string, subject: GrantSubject, now: bigint): AccessGrant {
  const expiresAt = now + GRANT_LIFETIME_SECONDS
  return { grant: grantOf(secret, subject, expiresAt), expiresAt }
}

/**
 * Returns true for an unexpired grant of this task under its present password. Any other header value is no grant,
 * never an error.
 * @param now time of the chain head, Unix seconds
 */
export function isAccessGrant(secret: string, text: string | undefined, subject: GrantSubject, now: bigint): boolean {
  const expiresAt = /^1\.([0-9]{1,12})\.[\w-]{43}$/.exec(text ?? '')?.[1]
  if (text === undefined || expiresAt === undefined) return false
  return now < BigInt(expiresAt) && isSameText(text, grantOf(secret, subject, BigInt(expiresAt)))
}

/** The version is last, so no version can be mistaken for another task or time. */
function grantOf(secret: string, { taskId, passwordVersion }: GrantSubject, expiresAt: bigint): string {
  const mac = createHmac('sha256', deriveKey(secret, 'task-access-grant'))
    .update(`${taskId}:${expiresAt}:${passwordVersion}`)
    .digest('base64url')
  return `1.${expiresAt}.${mac}`
}
