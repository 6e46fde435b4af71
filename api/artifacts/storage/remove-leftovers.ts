import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unless } from './disk-failures.ts'
import { foldersOf } from './local-disk.ts'

/** No file takes so long to arrive: what is older was left by a process that was killed, milliseconds. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000

/** Removes files that never arrived whole from the folder of a local disk; the number of them. */
export async function removeLeftovers(directory: string): Promise<number> {
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
