import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'

/** How many files below a folder this process has open, those without a name too. Linux. */
export async function countOpenIn(folder: string): Promise<number> {
  const descriptors = '/proc/self/fd'
  const targets = await Promise.all(
    // One that was closed meanwhile has no target any more.
    (await readdir(descriptors)).map((descriptor) => readlink(join(descriptors, descriptor)).catch(() => '')),
  )
  return targets.filter((target) => target.startsWith(folder)).length
}
