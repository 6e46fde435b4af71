import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system of its own, and small. */
export interface SmallDisk {
  directory: string
  /** Leaves no byte of it free. */
  fill(): Promise<void>
  /** Leaves no name free: no file can be made, linked or moved. */
  useUpNames(): Promise<void>
  /** Takes both back. */
  empty(): Promise<void>
  /** Lets nobody write, or everybody again. */
  lock(isReadOnly: boolean): Promise<void>
  stop(): Promise<void>
}

/** @returns null where this user may not mount one */
export async function mountSmallDisk(options: {
  sizeBytes: number
  names?: number
  directory?: string
}): Promise<SmallDisk | null> {
  const { sizeBytes, names = 1000 } = options
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'task-market-small-disk-')))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},nr_inodes=${names}`, 'tmpfs', directory])
  } catch {
    if (options.directory === undefined) await rm(directory, { recursive: true })
    return null
  }
  const ballast = join(directory, 'ballast')
  const made: string[] = []
  return {
    directory,
    fill: async () => {
      await untilFull(() => writeFile(ballast, Buffer.alloc(sizeBytes)))
    },
    useUpNames: async () => {
      let isFull = false
      while (!isFull) {
        const name = `${ballast}-${made.length}`
        isFull = await untilFull(() => writeFile(name, ''))
        made.push(name)
      }
    },
    empty: async () => {
      for (const name of [ballast, ...made.splice(0)]) await rm(name, { force: true })
    },
    lock: async (isReadOnly) => {
      await run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, directory])
    },
    stop: async () => {
      await run('umount', [directory])
      await rm(directory, { recursive: true })
    },
  }
}

/** Whether there was no room for it. */
async function untilFull(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return true
    throw error
  }
}

/** No file of this process grows beyond so many bytes until it is lifted: a full disk that any user may have. */
export async function limitFileSizes(sizeBytes: number): Promise<() => Promise<void>> {
  // Unheard, the signal that comes with the error ends the process.
  const ignore = () => {}
  process.on('SIGXFSZ', ignore)
  await setFileSizeLimit(String(sizeBytes))
  return async () => {
    await setFileSizeLimit('unlimited')
    process.off('SIGXFSZ', ignore)
  }
}

async function setFileSizeLimit(soft: string): Promise<void> {
  await run('prlimit', ['--pid', String(process.pid), `--fsize=${soft}:`])
}
