import { StorageFullError, StorageUnavailableError } from './object-store.ts'

/** How the machine says that there is no room for more bytes. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** Not a matter of time: rights, another thing in the folder's place, no hard links. */
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
 * Work on the disk, as it comes out.
 * @throws StorageFullError, StorageUnavailableError: the storage's own words for what kept it from being done
 */
export async function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (FULL_CODES.has(codeOf(error))) throw new StorageFullError({ cause: error })
    throw new StorageUnavailableError({ cause: error, isRefusal: REFUSAL_CODES.has(codeOf(error)) })
  }
}

/** The system's code of an error, such as `ENOENT`; of anything else, nothing. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** What `work` comes to, or `otherwise` when it fails with just this code. */
export async function unless<Result, Otherwise>(
  code: string,
  work: Promise<Result>,
  otherwise: Otherwise,
): Promise<Result | Otherwise> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === code) return otherwise
    throw error
  }
}
