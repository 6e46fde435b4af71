import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A small file system. */
export interface SmallDisk {
  directory: string
  /** Fills it to the last byte. */
  fill(): Promise<void>
  /** Fills it to the last name: no file can be created, linked or moved. */
  useUpNames(): Promise<void>
  /** Undoes both. */
  empty(): Promise<void>
  /** Makes it read-only, or writable again. */
  lock(isReadOnly: boolean): Promise<void>
  stop(): Promise<void>
}

/** @returns null where this user has no permission to mount one */
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

/** Whether the error means a full disk. */
async function untilFull(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return true
    throw error
  }
}

/** No file of this process grows beyond this many bytes until it is lifted: a full disk that any user can make. */
export async function limitFileSizes(sizeBytes: number): Promise<() => Promise<void>> {
  // Without a handler, the signal that comes with the error ends the process.
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
