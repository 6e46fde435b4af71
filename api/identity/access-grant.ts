import { createHmac } from 'node:crypto'
import type { Hex } from 'viem'
import { isSameText } from './constant-time.ts'
import { deriveKey } from './derive-key.ts'

/** How long a grant lets its holder view, seconds (Spec, "Private access"). */
export const GRANT_LIFETIME_SECONDS = 86_400n

/** What a grant is bound to. */
export interface GrantSubject {
  taskId: Hex
  /** Whatever changes with the task's password, such as the salt of its hash: a new password ends all grants. */
  passwordVersion: string
}

/** A grant as it is handed out. `expiresAt` is a block time, Unix seconds. */
export interface AccessGrant {
  grant: string
  expiresAt: bigint
}

/**
 * Makes a grant for one task: `1.<expiresAt>.<HMAC>`. Nothing is stored for it: any holder of the secret can check it,
 * which every process of the service does, and the secret's or the password's change ends it.
 * @param now the chain head's time, Unix seconds
 */
export function mintAccessGrant(secret: string, subject: GrantSubject, now: bigint): AccessGrant {
  const expiresAt = now + GRANT_LIFETIME_SECONDS
  return { grant: grantOf(secret, subject, expiresAt), expiresAt }
}

/**
 * Whether this is a grant for this task, with its present password, that has not expired. Anything else is simply no
 * grant: what comes in a header is never an error.
 * @param now the chain head's time, Unix seconds
 */
export function isAccessGrant(secret: string, text: string | undefined, subject: GrantSubject, now: bigint): boolean {
  const expiresAt = /^1\.([0-9]{1,12})\.[\w-]{43}$/.exec(text ?? '')?.[1]
  if (text === undefined || expiresAt === undefined) return false
  return now < BigInt(expiresAt) && isSameText(text, grantOf(secret, subject, BigInt(expiresAt)))
}

/** The version stands last: no text of its can be taken for another task's or another time. */
function grantOf(secret: string, { taskId, passwordVersion }: GrantSubject, expiresAt: bigint): string {
  const mac = createHmac('sha256', deriveKey(secret, 'task-access-grant'))
    .update(`${taskId}:${expiresAt}:${passwordVersion}`)
    .digest('base64url')
  return `1.${expiresAt}.${mac}`
}
