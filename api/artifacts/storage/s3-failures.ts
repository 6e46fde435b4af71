import { StorageFullError, StorageUnavailableError } from './object-store.ts'
import type { S3Answer } from './s3-client.ts'

/** How services say that there is no room, or none left of what was bought; some with other statuses than 413, 507. */
const FULL_CODES = new Set([
  'EntityTooLarge',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
])

/** The error code in an answer's body; null when there is none, as of every HEAD. */
export function codeOf({ text }: S3Answer): string | null {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(text)?.[1] ?? null
}

/** What an answer means that is not the one hoped for. Nothing of the request or its signature is in it. */
export function failureOf(action: string, answer: S3Answer): StorageFullError | StorageUnavailableError {
  const code = codeOf(answer)
  const cause = new Error(`${action} was answered ${answer.status}${code === null ? '' : ` ${code}`}`)
  const isFull = answer.status === 413 || answer.status === 507 || (code !== null && FULL_CODES.has(code))
  if (isFull) return new StorageFullError({ cause })
  const isPassing = answer.status >= 500 || answer.status === 408 || answer.status === 429
  return new StorageUnavailableError({ cause, isRefusal: !isPassing })
}
