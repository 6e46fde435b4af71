import { randomUUID } from 'node:crypto'
import { link, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { codeOf, unless } from './disk-failures.ts'
import { createLocalDiskStore, foldersOf, type LocalDiskOptions } from './local-disk.ts'
import type { ObjectStore } from './object-store.ts'

/** No file takes so long to arrive: what is older was left by a process that was killed, milliseconds. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000
/** How file systems say that they know no second names, or none across the folders. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'])

/**
 * The files of a folder, looked over before it is used: leftovers of killed processes go. A folder that cannot be
 * written to now (full, read-only, not ours) is told to the log and no more: everything but taking files in works.
 * @throws Error when the file system has no hard links, which is how a file gets its name whole and once
 */
export async function openLocalDisk(options: LocalDiskOptions & { log: Logger }): Promise<ObjectStore> {
  const { directory, log } = options
  try {
    const removed = await removeLeftovers(directory)
    if (removed > 0) log.info({ removed }, 'files that never arrived whole were removed')
    await tryLinks(directory)
  } catch (error) {
    if (error instanceof NoLinksError) throw error
    log.error({ err: error }, 'no file can be stored in ARTIFACT_DIR now')
  }
  return createLocalDiskStore(options)
}

class NoLinksError extends Error {
  constructor(directory: string, cause: unknown) {
    super(`ARTIFACT_DIR (${directory}) must be on one file system that has hard links`, { cause })
    this.name = 'NoLinksError'
  }
}

async function removeLeftovers(directory: string): Promise<number> {
  const { incoming } = foldersOf(directory)
  const names = await unless('ENOENT', readdir(incoming), [])
  let removed = 0
  for (const name of names) {
    const found = await unless('ENOENT', lstat(join(incoming, name)), null)
    if (found === null || !found.isFile() || Date.now() - found.mtimeMs < LEFTOVER_AGE_MS) continue
    await rm(join(incoming, name), { force: true })
    removed += 1
  }
  return removed
}

/** Does what storing a file does, with one of no bytes. */
async function tryLinks(directory: string): Promise<void> {
  const { incoming, artifacts, uploads } = foldersOf(directory)
  for (const folder of [incoming, uploads]) await mkdir(folder, { recursive: true })
  const name = randomUUID()
  const source = join(incoming, name)
  const targets = [artifacts, uploads].map((folder) => join(folder, `.${name}`))
  try {
    await (await open(source, 'wx')).close()
    for (const target of targets) await link(source, target)
  } catch (error) {
    throw NO_LINKS.has(codeOf(error)) ? new NoLinksError(directory, error) : error
  } finally {
    for (const file of [source, ...targets]) await rm(file, { force: true })
  }
}
