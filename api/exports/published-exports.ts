import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { EXPORT_PATH, INDEX_PATH, indexSchema, type ListedExport } from './manifest.ts'

/** The exports that `npm run export` has published. The service reads them from a directory or a bucket. */
export interface PublishedExports {
  /**
   * Lists the exports, newest first. The list is empty if no directory or bucket is configured.
   * @throws Error if the bucket or directory cannot be read
   */
  list(): Promise<readonly ListedExport[]>
  /**
   * Returns the age of the newest export in seconds. If no export can be listed, returns the seconds since the start of
   * the service. Returns null if no directory or bucket is configured.
   */
  age(): Promise<number | null>
  /** Returns the public URL of a file, given its path. Example: `urlOf('manifests/idx_1-41-parquet.json')`. */
  urlOf(path: string): string
  /** Opens a file of the export directory. Returns null if there is no file with the path. */
  open(path: string): Promise<FileHandle | null>
}

export interface ExportsOptions {
  /** The directory to which exports are written. Undefined if none is configured. */
  directory: string | undefined
  /**
   * The public URL of the bucket that exports are written to, without a trailing slash. If it is set, the list is read
   * from the bucket and not from the directory.
   */
  url: string | undefined
  /** The public URL of this service, without a trailing slash. */
  publicBaseUrl: string
}

/** The time in milliseconds for which the list of exports in a bucket is cached. */
const FRESH_MS = 60_000
/** The longest time that reading the list of exports in a bucket may take, in milliseconds. */
const FETCH_MS = 5_000

/** Returns the reader of the published exports. The files are read only when a method is called. */
export function openPublishedExports({ directory, url, publicBaseUrl }: ExportsOptions): PublishedExports {
  const list = url === undefined ? () => readDirectory(directory) : createReader(url)
  const openedAt = Date.now()
  const openFile = async (path: string) =>
    directory === undefined || !EXPORT_PATH.test(path) ? null : await orNull(open(join(directory, path)))
  const base = url ?? `${publicBaseUrl}/api/exports`
  return {
    list,
    age: async () => {
      if ((url ?? directory) === undefined) return null
      const [newest] = await list().catch(() => [])
      return (Date.now() - (newest === undefined ? openedAt : Date.parse(newest.createdAt))) / 1000
    },
    urlOf: (path) => `${base}/${path}`,
    open: openFile,
  }
}

async function readDirectory(directory: string | undefined): Promise<readonly ListedExport[]> {
  const text = directory === undefined ? null : await orNull(readFile(join(directory, INDEX_PATH), 'utf8'))
  return text === null ? [] : parseIndex(text)
}

/**
 * Logs a warning if the directory of exports cannot be read. The service starts anyway, because the first export may
 * create the directory.
 */
export async function warnOfDirectory(directory: string | undefined, log: Pick<Logger, 'warn'>): Promise<void> {
  if (directory === undefined) return
  try {
    await readdir(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    log.warn({ setting: 'EXPORTS_DIR', directory, code }, 'exports directory unreadable')
  }
}

/**
 * Creates a function that lists the exports in a bucket. The function reads the bucket at most once a minute. If the
 * bucket has no file `exports.json`, the list is empty.
 */
function createReader(url: string): PublishedExports['list'] {
  let last: { readAt: number; exports: Promise<readonly ListedExport[]> } | null = null
  const read = async () => {
    const response = await fetch(`${url}/${INDEX_PATH}`, { signal: AbortSignal.timeout(FETCH_MS) })
    if (response.status === 404) return []
    if (!response.ok) throw new Error(`${INDEX_PATH} of EXPORTS_URL answered ${response.status}`)
    return parseIndex(await response.text())
  }
  return async () => {
    const now = performance.now()
    if (last === null || now - last.readAt >= FRESH_MS) {
      const exports = read()
      last = { readAt: now, exports }
      exports.catch(() => {
        last = null
      })
    }
    return await last.exports
  }
}

function parseIndex(text: string): readonly ListedExport[] {
  return indexSchema.parse(JSON.parse(text)).exports
}

async function orNull<Value>(promise: Promise<Value>): Promise<Value | null> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
