import { StorageFullError, StorageUnavailableError } from './object-store.ts'
import type { S3Answer } from './s3-client.ts'

/** The error codes for full storage or an exhausted quota. Some storage servers send them with unusual statuses. */
const FULL_CODES = new Set([
  'EntityTooLarge',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
])

/**
 * Returns the error code in the body of an answer. Returns null if the body has no error code. The answer to a HEAD
 * request, for example, has no body.
 */
export function codeOf({ text }: S3Answer): string | null {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(text)?.[1] ?? null
}

/** Converts an unexpected answer to an error. The error contains no part of the request or its signature. */
export function failureOf(action: string, answer: S3Answer): StorageFullError | StorageUnavailableError {
  const code = codeOf(answer)
  const cause = new Error(`${action} was answered ${answer.status}${code === null ? '' : ` ${code}`}`)
  const isFull = answer.status === 413 || answer.status === 507 || (code !== null && FULL_CODES.has(code))
  if (isFull) return new StorageFullError({ cause })
  const isPassing = answer.status >= 500 || answer.status === 408 || answer.status === 429
  return new StorageUnavailableError({ cause, isRefusal: !isPassing })
}
