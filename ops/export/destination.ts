import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../api/artifacts/storage/make-directory.ts'
import { createS3Client, type S3Bucket } from '../../api/artifacts/storage/s3-client.ts'
import { checkSetting } from '../../settings/start-problems.ts'

/** A complete file on this machine. `Destination.put` publishes the file. */
export interface PublishedFile {
  file: string
  bytes: number
  sha256: string
}

/** The directory or bucket to which exports are published. Example: `openDirectory('/srv/exports')`. */
export interface Destination {
  /** Creates an empty directory for unpublished files. */
  openStaging(): Promise<string>
  /**
   * Publishes a file under a path. Readers see either the whole file or no file. The function may move the source file.
   */
  put(path: string, file: PublishedFile): Promise<void>
  /** Reads the text of the file at a path. Returns null if the file does not exist. */
  read(path: string): Promise<string | null>
}

/**
 * Opens a directory of this machine as the destination. Unpublished files are in the same directory: publication is a
 * rename on one file system.
 */
export function openDirectory(directory: string): Destination {
  const stagingRoot = join(directory, '.staging')
  return {
    openStaging: () =>
      checkSetting('--to', async () => {
        await makeDirectory(directory)
        await makeDirectory(stagingRoot)
        await removeLeftovers(stagingRoot)
        return await mkdtemp(join(stagingRoot, 'export-'))
      }),
    put: async (path, { file }) => {
      await makeDirectory(dirname(join(directory, path)))
      await rename(file, join(directory, path))
    },
    read: async (path) => {
      try {
        return await readFile(join(directory, path), 'utf8')
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw error
      }
    },
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/**
 * Age in milliseconds from which unpublished files are deleted. An export takes less than a day; older files come from
 * a killed export.
 */
const LEFT_MS = 86_400_000

async function removeLeftovers(stagingRoot: string): Promise<void> {
  for (const name of await readdir(stagingRoot)) {
    const { mtimeMs } = await stat(join(stagingRoot, name))
    if (Date.now() - mtimeMs > LEFT_MS) await rm(join(stagingRoot, name), { recursive: true, force: true })
  }
}

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}
const TIMEOUTS = { silenceMs: 60_000, copyMs: 60_000 }
const ATTEMPTS = 3

/**
 * Opens a bucket as the destination. The storage service verifies the SHA-256 of each upload.
 * @param prefix prefix of all keys: empty, or text that ends with a slash
 */
export function openBucket(bucket: S3Bucket, prefix: string): Destination {
  const client = createS3Client(bucket, TIMEOUTS, Date.now)
  const putOnce = async (path: string, { file, bytes, sha256 }: PublishedFile) => {
    const answer = await client.call({
      method: 'PUT',
      key: prefix + path,
      headers: {
        'Content-Type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
        'X-Amz-Content-Sha256': sha256,
        // Only the list changes; all other objects stay.
        'Cache-Control': path.includes('/') ? 'public, max-age=86400' : 'public, max-age=60',
      },
      ...(bytes > 0 && { body: { bytes: createReadStream(file), sizeBytes: bytes } }),
    })
    if (answer.status !== 200)
      throw new Error(`the bucket answered ${answer.status} to PUT ${prefix}${path}: ${answer.text}`)
  }
  const put = async (path: string, file: PublishedFile, attempt = 1): Promise<void> => {
    try {
      await putOnce(path, file)
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error
      await put(path, file, attempt + 1)
    }
  }
  return {
    openStaging: () => mkdtemp(join(tmpdir(), 'task-market-export-')),
    put: (path, file) => put(path, file),
    read: async (path) => {
      const bucketAnswer = await client.open({ method: 'GET', key: prefix + path }, 200)
      if (bucketAnswer instanceof ReadableStream) return await new Response(bucketAnswer).text()
      if (bucketAnswer.status === 404) return null
      throw new Error(`the bucket answered ${bucketAnswer.status} to GET ${prefix}${path}: ${bucketAnswer.text}`)
    },
  }
}

/** Writes text to an unpublished file, and flushes it to the disk. */
export async function stageText(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flush: true })
}
