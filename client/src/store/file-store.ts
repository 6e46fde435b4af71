import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Clock, type Lease, LeaseLostError, takeLease } from './file-lease.ts'
import { isProcessAlive, processName } from './file-process.ts'
import { openReplacement } from './file-replacement.ts'
import { prune } from './ledger.ts'
import { emptyState, type Store, StoreError, type WalletConfig, type WalletState, withRuns } from './store.ts'
import { readWalletConfig } from './wallet-config.ts'

/** Returns the default folder of the wallets' files. Example: `/home/me/.task-market`. */
export function defaultDirectory(): string {
  return join(homedir(), '.task-market')
}

export interface FileStoreOptions {
  directory?: string
  /** Returns the time in milliseconds that leases use. The default is this machine's clock. */
  now?: Clock
}

/**
 * Stores the wallets' states in one directory that several processes can use. Each wallet has the files
 * `<wallet>/state.json` and `<wallet>/config.json`, which only their owner can read. Each change is atomic, and on disk
 * before `update` returns.
 * @example fileStore({ directory: '/home/me/.task-market' })
 */
export function fileStore({ directory = defaultDirectory(), now = Date.now }: FileStoreOptions = {}): Store {
  if (directory === '') throw new Error('The directory of the wallets has no name.')
  // An absolute path keeps one ledger when the working directory changes.
  const root = resolve(directory)
  const folderOf = (wallet: string) => join(root, wallet.toLowerCase())
  // Changes of this process queue here; the lock file excludes other processes.
  let queue: Promise<unknown> = Promise.resolve()
  return {
    owner: processName,
    isAlive: isProcessAlive,
    update: (wallet, change) => {
      const turn = queue.then(() => updateFile(folderOf(wallet), { change, now }))
      queue = turn.catch(() => {})
      return turn
    },
    config: (wallet) => readConfig(folderOf(wallet)),
  }
}

/**
 * Replaces a file in one atomic step and syncs it to disk. Only the owner can read the file.
 * @throws StoreError
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const next = `${path}.${randomUUID()}`
  try {
    const file = await open(next, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(next, path)
    await syncFolder(join(path, '..'))
  } catch (cause) {
    await unlink(next).catch(() => {})
    throw new StoreError(`${path} cannot be written.`, { cause })
  }
}

interface Update<T> {
  change: (state: WalletState) => T
  now: Clock
}

async function updateFile<T>(folder: string, update: Update<T>): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new StoreError(`${folder} cannot be made.`, { cause })
  })
  for (;;) {
    const lease = await takeLease(join(folder, 'lock'), update.now)
    try {
      return await updateUnder(lease, folder, update)
    } catch (error) {
      // Another process took the lease and may have changed the state: the change runs again on the new state.
      if (!(error instanceof LeaseLostError)) throw error
    } finally {
      await lease.release()
    }
  }
}

async function updateUnder<T>(lease: Lease, folder: string, { change, now }: Update<T>): Promise<T> {
  const path = join(folder, 'state.json')
  const replacement = await openReplacement(path, lease)
  try {
    const before = await readText(path)
    const state = before === null ? emptyState() : parseState(path, before)
    const result = change(state)
    prune(state, now())
    const after = JSON.stringify(state)
    if (after !== before) {
      await replacement.write(after)
      await syncFolder(folder)
    }
    return result
  } finally {
    await replacement.discard()
  }
}

async function readConfig(folder: string): Promise<WalletConfig> {
  const path = join(folder, 'config.json')
  const settings = await readSettings(path)
  try {
    return readWalletConfig(settings)
  } catch (cause) {
    throw new StoreError(`${path} cannot be used: ${cause instanceof Error ? cause.message : 'it is damaged.'}`, {
      cause,
    })
  }
}

/**
 * Reads a configuration file as an object; an empty object if the file does not exist.
 * @throws StoreError when the file cannot be read, or does not contain a JSON object
 */
export async function readSettings(path: string): Promise<Record<string, unknown>> {
  const text = await readText(path)
  const settings = text === null ? {} : parse<unknown>(path, text)
  if (isObject(settings)) return settings
  throw new StoreError(`${path} is no object.`)
}

function parseState(path: string, text: string): WalletState {
  const state = parse<unknown>(path, text)
  if (isObject(state) && isObject(state.entries) && isObject(state.tasks)) return withRuns(state as never)
  throw new StoreError(`${path} is damaged: nothing is sent until a person has looked at it.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads a file; null if the file does not exist. A symbolic link with a missing target is an error, because the
 * target's disk may be unmounted.
 */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing && (await lstat(path).catch(() => null)) === null) return null
    throw new StoreError(`${path} cannot be read.`, { cause })
  }
}

function parse<T>(path: string, text: string): T {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StoreError(`${path} is damaged: nothing is sent until a person has looked at it.`, { cause })
  }
}

/**
 * Syncs a folder to disk: a new file name in the folder is then durable. Does nothing on Windows, where folders cannot
 * be synced.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
