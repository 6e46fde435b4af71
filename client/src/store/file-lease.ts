import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises'
import { isProcessAlive, processName } from './file-process.ts'
import { StoreError } from './store.ts'

/** The interval in milliseconds at which a holder renews its lease. */
export const RENEW_MS = 5_000
/**
 * The lifetime of a lease in milliseconds. If the holder does not renew the lease for this time, the lease expires, and
 * another process may take it.
 */
export const LEASE_MS = 30_000
/**
 * Timeout in milliseconds for taking a lease that another process holds. A holder usually changes one small file and
 * then releases the lease.
 */
const TIMEOUT_MS = 40_000
const PAUSE_MS = 20

/** A function that returns the current time in milliseconds. */
export type Clock = () => number

/** The exclusive right to change the files of a wallet. */
export interface Lease {
  /** A random id of this lease. The holder's replacement file (see `openReplacement`) has this id in its name. */
  token: string
  /**
   * Checks that this process still holds the lease.
   * @throws LeaseLostError when another process has taken the lease
   */
  check(): Promise<void>
  /** Deletes the lease, unless another process has taken it. */
  release(): Promise<void>
}

/** Thrown when another process has taken the lease. The change that this process wanted to make was not written. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/**
 * Takes the lease file of a wallet. If the process that holds the lease has ended, the lease is available at once. If
 * the holder is paused or on another machine, the lease is available 30 seconds after its last renewal.
 *
 * For a short time, two processes may both believe that they hold the lease. `openReplacement` lets only one of them
 * change the wallet's state.
 * @throws StoreError when the lease does not become available
 */
export async function takeLease(path: string, now: Clock): Promise<Lease> {
  const token = randomUUID()
  const content = `${processName} ${token}`
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await tryTake(path, content, now))) {
    if (performance.now() > deadline) throw await heldError(path)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  // Renewal sets only the file's time. A renewal that wrote content could replace the lease of a process that took it meanwhile.
  const renewal = setInterval(() => void touch(path, now()).catch(() => {}), RENEW_MS)
  renewal.unref?.()
  const isOwn = async () => (await read(path)) === content
  return {
    token,
    check: async () => {
      if (!(await isOwn())) throw new LeaseLostError(`Another process has taken ${path}.`)
    },
    release: async () => {
      clearInterval(renewal)
      if (await isOwn()) await unlink(path).catch(() => {})
    },
  }
}

/**
 * Creates the lease file, or replaces an expired lease, in one atomic step. Returns true if this process now holds the
 * lease.
 */
async function tryTake(path: string, content: string, now: Clock): Promise<boolean> {
  const before = await read(path)
  if (before !== null && !(await isOver(path, before, now()))) return false
  const ownPath = `${path}.${randomUUID()}`
  try {
    const file = await open(ownPath, 'wx', 0o600)
    await file.writeFile(content)
    await file.close()
    await touch(ownPath, now())
    if (before === null) return await tryLink(ownPath, path)
    return await tryReplace({ path, before, ownPath, now })
  } catch (error) {
    throw new StoreError(`The lock ${path} cannot be made.`, { cause: error })
  } finally {
    await unlink(ownPath).catch(() => {})
  }
}

interface Replacing {
  path: string
  /** The content of the expired lease file. */
  before: string
  /** The path at which this process first writes its lease file. The file then replaces the expired lease file. */
  ownPath: string
  now: Clock
}

/**
 * Replaces one expired lease. Returns true if this process has replaced the lease.
 *
 * A process may replace the lease only after it has created the file `<path>.over.<token of the expired lease>`, which
 * only one process can create. If that process ends before it replaces the lease, its file counts as an expired lease:
 * another process may continue after it has created the file `<path>.over.<token of that file>`.
 */
async function tryReplace({ path, before, ownPath, now }: Replacing): Promise<boolean> {
  // Without the right, a slow process could replace the lease that a fast process has just taken.
  const rights: string[] = []
  for (let lease = before; ; ) {
    const right = `${path}.over.${tokenOf(lease)}`
    const isMade = await tryLink(ownPath, right)
    const holder = isMade ? null : await read(right)
    if (!isMade && (holder === null || !(await isOver(right, holder, now())))) return false
    rights.push(right)
    if (holder === null) break
    lease = holder
  }
  try {
    // An earlier right to the same lease may have been used and deleted.
    const isUnchanged = (await read(path)) === before
    if (isUnchanged) await rename(ownPath, path)
    return isUnchanged
  } finally {
    await Promise.all(rights.map((right) => unlink(right).catch(() => {})))
  }
}

/** Creates a hard link. Returns false if the name is already taken. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Returns the random id of the lease in a lease file's content; an empty string if the content is not a lease. */
function tokenOf(content: string): string {
  const [, token = ''] = content.split(' ')
  return /^[\w-]{1,64}$/.test(token) ? token : ''
}

/**
 * Returns true if a lease has expired. A renewal time far in the future comes from a wrong clock, and counts as
 * expired.
 */
async function isOver(path: string, content: string, now: number): Promise<boolean> {
  const [owner = ''] = content.split(' ')
  if (!isProcessAlive(owner)) return true
  const fileStat = await stat(path).catch(() => null)
  return fileStat !== null && Math.abs(now - fileStat.mtimeMs) > LEASE_MS
}

async function touch(path: string, milliseconds: number): Promise<void> {
  await utimes(path, milliseconds / 1_000, milliseconds / 1_000)
}

async function read(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null)
}

async function heldError(path: string): Promise<StoreError> {
  const owner = ((await read(path)) ?? '').replace(/[^\w.: -]/g, '?').slice(0, 200)
  return new StoreError(
    `Another process (${owner}) holds and renews ${path}; delete the file when that process is none of this package.`,
  )
}
