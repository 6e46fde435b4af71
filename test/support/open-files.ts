import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Number of open files of this process below a folder, anonymous ones included. Linux. */
export async function countOpenIn(folder: string): Promise<number> {
  const descriptors = '/proc/self/fd'
  const targets = await Promise.all(
    // A file closed meanwhile has no target.
    (await readdir(descriptors)).map((descriptor) => readlink(join(descriptors, descriptor)).catch(() => '')),
  )
  return targets.filter((target) => target.startsWith(folder)).length
}
