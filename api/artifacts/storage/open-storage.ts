import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { unless } from './disk-failures.ts'
import { createLocalDiskStore, foldersOf } from './local-disk.ts'
import type { ObjectStore } from './object-store.ts'
import { createS3Store } from './s3.ts'
import type { SignedUrls } from './signed-urls.ts'

export type StorageConfig = Pick<
  Config,
  | 'STORAGE'
  | 'ARTIFACT_DIR'
  | 'STORAGE_RESERVE_BYTES'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_BUCKET'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_PREFIX'
>

/** The storage that the settings select. */
export interface OpenedStorage {
  objects: ObjectStore
  /** A description of the storage for people, such as `the folder .local/artifacts`. */
  description: string
  /** The settings that an operator should check if the storage fails. */
  settings: string
  /**
   * Deletes incomplete files of processes that were killed.
   * @returns the number of deleted files
   */
  tidy: () => Promise<number>
  /** Checks the storage with one cheap operation. Rejects if the storage cannot store or return files now. */
  probe: () => Promise<void>
}

/** Creates the storage that the settings select. Sends no request. */
export function openStorage(config: StorageConfig, links: SignedUrls): OpenedStorage {
  return config.STORAGE === 's3' ? openBucket(config) : openFolder(config, links)
}

function openFolder(
  { ARTIFACT_DIR: directory, STORAGE_RESERVE_BYTES: reserveBytes }: StorageConfig,
  links: SignedUrls,
): OpenedStorage {
  return {
    objects: createLocalDiskStore({ directory, reserveBytes, links }),
    tidy: () => removeLeftovers(directory),
    description: `the folder ${directory}`,
    settings: 'ARTIFACT_DIR, its owner and the room on its disk; it must be one file system, with hard links',
    probe: () => access(directory, constants.W_OK | constants.X_OK),
  }
}

function openBucket(config: StorageConfig): OpenedStorage {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PREFIX } = config
  const objects = createS3Store({
    endpoint: given(S3_ENDPOINT),
    region: given(S3_REGION),
    bucket: given(S3_BUCKET),
    accessKeyId: given(S3_ACCESS_KEY_ID),
    secretAccessKey: given(S3_SECRET_ACCESS_KEY),
    prefix: S3_PREFIX,
  })
  // No object has this name; the probe only checks that the service answers.
  const emptyObject = { area: 'uploads', id: randomUUID() } as const
  return {
    objects,
    // An aborted upload leaves nothing in a bucket.
    tidy: async () => 0,
    description: `the bucket ${S3_BUCKET} at ${S3_ENDPOINT}`,
    settings: 'the settings that begin with S3_, and what the key may do in the bucket',
    probe: async () => {
      await objects.stat(emptyObject)
    },
  }
}

/** Returns a required setting. `readConfig` has checked that it exists. */
function given(setting: string | undefined): string {
  if (setting === undefined) throw new Error('STORAGE=s3 needs the settings that begin with S3_')
  return setting
}

/**
 * The age in milliseconds above which an incomplete file is a leftover of a killed process. No upload takes this long.
 */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000

/**
 * Deletes incomplete files older than LEFTOVER_AGE_MS in a folder of the local disk.
 * @returns the number of deleted files
 */
async function removeLeftovers(directory: string): Promise<number> {
  const { incoming } = foldersOf(directory)
  const names = await unless('ENOENT', readdir(incoming), [])
  let removedCount = 0
  for (const name of names) {
    const fileStat = await unless('ENOENT', lstat(join(incoming, name)), null)
    if (fileStat === null || !fileStat.isFile() || Date.now() - fileStat.mtimeMs < LEFTOVER_AGE_MS) continue
    await rm(join(incoming, name), { force: true })
    removedCount += 1
  }
  return removedCount
}
