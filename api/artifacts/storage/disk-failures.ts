import { StorageFullError, StorageUnavailableError } from './object-store.ts'

/** The operating system's error codes for a full disk or an exhausted quota. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** The operating system's error codes for a permanent problem, such as missing rights, or a disk without hard links. */
const REFUSAL_CODES = new Set([
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EMLINK',
])

/**
 * Waits for an operation on the disk and converts its errors.
 * @throws StorageFullError, StorageUnavailableError
 */
export async function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (FULL_CODES.has(codeOf(error))) throw new StorageFullError({ cause: error })
    throw new StorageUnavailableError({ cause: error, isRefusal: REFUSAL_CODES.has(codeOf(error)) })
  }
}

/**
 * Returns the operating system's code of an error, such as `ENOENT`. Returns an empty text if the error has no code.
 */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Returns the result of `work`. If `work` fails with the error code `code`, returns `fallback`. */
export async function unless<Result, Otherwise>(
  code: string,
  work: Promise<Result>,
  fallback: Otherwise,
): Promise<Result | Otherwise> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === code) return fallback
    throw error
  }
}
