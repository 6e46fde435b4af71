import { randomUUID } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { StoreError } from './store.ts'

/** How long a process waits for the lock of others, milliseconds; each holds it for one change of a small file. */
const TIMEOUT_MS = 10_000
const PAUSE_MS = 20

/** This process: no other one of this machine has its name, now or after it. */
export const processName = `${hostname()}:${process.pid}:${randomUUID()}`

/** Whether the process of that name may be running. One of another machine may. */
export function isProcessAlive(name: string): boolean {
  if (name === processName) return true
  const [host, pid] = name.split(':')
  if (host !== hostname()) return true
  // Another life of our own process id.
  if (Number(pid) === process.pid) return false
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Runs `work` while no other process has the lock file. A lock whose process has ended is removed.
 * @throws StoreError when the lock does not become free
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await take(path))) {
    await removeDeadLock(path)
    if (performance.now() > deadline) throw await heldError(path)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  try {
    return await work()
  } finally {
    await unlink(path).catch((cause) => {
      throw new StoreError(`The lock ${path} cannot be removed.`, { cause })
    })
  }
}

/** A process of a later time can have the id of one that ended with the lock: a person sees which one is meant. */
async function heldError(path: string): Promise<StoreError> {
  const owner = (await readFile(path, 'utf8').catch(() => '')).replace(/[^\w.:-]/g, '?').slice(0, 200)
  return new StoreError(
    `Another process (${owner}) has held ${path} for ten seconds; delete the file when that process is none of this package.`,
  )
}

/** Creates the lock with its owner's name in it, in one step. */
async function take(path: string): Promise<boolean> {
  const own = `${path}.${randomUUID()}`
  try {
    const file = await open(own, 'wx', 0o600)
    await file.writeFile(processName)
    await file.close()
    await link(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new StoreError(`The lock ${path} cannot be made.`, { cause: error })
  } finally {
    await unlink(own).catch(() => {})
  }
}

/**
 * Only under a lock of its own is a dead lock read again and removed: two processes that find the same one must not
 * remove the next one's. One that ends in here leaves that lock, and no write is made before a person removes it.
 */
async function removeDeadLock(path: string): Promise<void> {
  if (!(await isDead(path))) return
  const breaking = `${path}.breaking`
  if (!(await take(breaking))) return
  try {
    if (await isDead(path)) await unlink(path)
  } finally {
    await unlink(breaking)
  }
}

async function isDead(path: string): Promise<boolean> {
  const owner = await readFile(path, 'utf8').catch(() => null)
  return owner !== null && !isProcessAlive(owner)
}
