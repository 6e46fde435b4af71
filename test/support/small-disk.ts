import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A folder whose disk is really small. */
export interface SmallDisk {
  directory: string
  /** Leaves no byte of it free, but for what a few names take. */
  fill(): Promise<void>
  /** Takes that back. */
  empty(): Promise<void>
  stop(): Promise<void>
}

/** A file system of its own; null where this user may not mount one. */
export async function mountSmallDisk(sizeBytes: number): Promise<SmallDisk | null> {
  const directory = await mkdtemp(join(tmpdir(), 'task-market-small-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', directory])
  } catch {
    await rm(directory, { recursive: true })
    return null
  }
  const ballast = join(directory, 'ballast')
  return {
    directory,
    fill: async () => {
      await writeFile(ballast, Buffer.alloc(sizeBytes)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      })
    },
    empty: () => rm(ballast, { force: true }),
    stop: async () => {
      await run('umount', [directory])
      await rm(directory, { recursive: true })
    },
  }
}

/** Files of this process that grow beyond so many bytes, while it lasts: what every user may have. */
export async function limitFileSizes(sizeBytes: number): Promise<{ lift: () => Promise<void> }> {
  // Unheard, the signal that comes with the error ends the process.
  const ignore = () => {}
  process.on('SIGXFSZ', ignore)
  await setFileSizeLimit(String(sizeBytes))
  return {
    lift: async () => {
      await setFileSizeLimit('unlimited')
      process.off('SIGXFSZ', ignore)
    },
  }
}

async function setFileSizeLimit(soft: string): Promise<void> {
  await run('prlimit', ['--pid', String(process.pid), `--fsize=${soft}:`])
}
