import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises'
import { isProcessAlive, processName } from './file-process.ts'
import { StoreError } from './store.ts'

/** Interval at which a holder renews its lease; one without renewal for `LEASE_MS` may be taken. Milliseconds. */
export const RENEW_MS = 5_000
export const LEASE_MS = 30_000
/** How long a process waits for the lease of others, milliseconds; each holds it for one change of a small file. */
const TIMEOUT_MS = 40_000
const PAUSE_MS = 20

/** Milliseconds. */
export type Clock = () => number

/** The right to change the files of a wallet, until another process takes it. */
export interface Lease {
  /** In the name of the one file by which this holder changes the state. */
  token: string
  /** @throws LeaseLostError when another process has taken the lease */
  check(): Promise<void>
  /** Deletes the lease, unless another process has taken it. */
  release(): Promise<void>
}

/** Another process has taken the lease: nothing was changed under it. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/**
 * Takes the lease file of a wallet. A lease whose process has ended is taken at once, one of another machine or of a
 * paused process after 30 seconds without renewal. Two processes may both believe that they have it for a moment: the
 * state file tells them apart (`openReplacement`).
 * @throws StoreError when it does not become free
 */
export async function takeLease(path: string, now: Clock): Promise<Lease> {
  const token = randomUUID()
  const content = `${processName} ${token}`
  const deadline = performance.now() + TIMEOUT_MS
  while (!(await tryTake(path, content, now))) {
    if (performance.now() > deadline) throw await heldError(path)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  // Only the time is renewed: content written here could replace the lease of a process that took it meanwhile.
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

/** Makes the lease where there is none, and replaces one that is over; both in one step. */
async function tryTake(path: string, content: string, now: Clock): Promise<boolean> {
  const before = await read(path)
  if (before !== null && !(await isOver(path, before, now()))) return false
  const own = `${path}.${randomUUID()}`
  try {
    const file = await open(own, 'wx', 0o600)
    await file.writeFile(content)
    await file.close()
    await touch(own, now())
    if (before === null) return await tryLink(own, path)
    return await tryReplace({ path, before, own, now })
  } catch (error) {
    throw new StoreError(`The lock ${path} cannot be made.`, { cause: error })
  } finally {
    await unlink(own).catch(() => {})
  }
}

interface Replacing {
  path: string
  /** The content of the lease that is over. */
  before: string
  /** The file of the next lease. */
  own: string
  now: Clock
}

/**
 * Replaces the one lease that is over. Several processes may find the same one: the right to replace it is a file that is
 * named after it, which one of them makes. Without it, a later one would replace the lease that the first has just taken.
 * A right whose process has ended passes on in the same way.
 */
async function tryReplace({ path, before, own, now }: Replacing): Promise<boolean> {
  const rights: string[] = []
  for (let lease = before; ; ) {
    const right = `${path}.over.${tokenOf(lease)}`
    const isMade = await tryLink(own, right)
    const holder = isMade ? null : await read(right)
    if (!isMade && (holder === null || !(await isOver(right, holder, now())))) return false
    rights.push(right)
    if (holder === null) break
    lease = holder
  }
  try {
    // An earlier right to the same lease may have been used, and deleted.
    const isUnchanged = (await read(path)) === before
    if (isUnchanged) await rename(own, path)
    return isUnchanged
  } finally {
    await Promise.all(rights.map((right) => unlink(right).catch(() => {})))
  }
}

/** False: there is a file of that name. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Distinguishes a lease from all others; a content that is no lease has an empty one. */
function tokenOf(content: string): string {
  const [, token = ''] = content.split(' ')
  return /^[\w-]{1,64}$/.test(token) ? token : ''
}

/** A time far in the future is that of a clock that was wrong: it would never be over. */
async function isOver(path: string, content: string, now: number): Promise<boolean> {
  const [owner = ''] = content.split(' ')
  if (!isProcessAlive(owner)) return true
  const found = await stat(path).catch(() => null)
  return found !== null && Math.abs(now - found.mtimeMs) > LEASE_MS
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
