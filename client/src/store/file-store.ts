import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isProcessAlive, processName, withLock } from './file-lock.ts'
import { prune } from './ledger.ts'
import { readAskAbove, readLimits } from './limits.ts'
import { emptyState, type Store, StoreError, type WalletConfig, type WalletState } from './store.ts'

/** Where wallets are kept unless said otherwise. */
export function defaultDirectory(): string {
  return join(homedir(), '.task-market')
}

/**
 * The states of wallets in files of one directory, for all processes of this machine: `<wallet>/state.json` and
 * `<wallet>/config.json`, readable by their owner only. Each change replaces the file in one step, and is on disk before
 * it counts.
 */
export function fileStore({ directory = defaultDirectory() }: { directory?: string } = {}): Store {
  const folderOf = (wallet: string) => join(directory, wallet.toLowerCase())
  // Changes of this process queue here: the lock file is for the others.
  let queue: Promise<unknown> = Promise.resolve()
  return {
    owner: processName,
    isAlive: isProcessAlive,
    update: (wallet, change) => {
      const turn = queue.then(() => updateFile(folderOf(wallet), change))
      queue = turn.catch(() => {})
      return turn
    },
    config: (wallet) => readConfig(folderOf(wallet)),
  }
}

/** Writes a file for its owner only; it is on disk when this resolves. @throws StoreError */
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

async function updateFile<T>(folder: string, change: (state: WalletState) => T): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new StoreError(`${folder} cannot be made.`, { cause })
  })
  return await withLock(join(folder, 'lock'), async () => {
    const path = join(folder, 'state.json')
    const before = await readText(path)
    const state = before === null ? emptyState() : parse<WalletState>(path, before)
    const result = change(state)
    prune(state, Date.now())
    const after = JSON.stringify(state)
    if (after !== before) await writeDurably(path, after)
    return result
  })
}

async function readConfig(folder: string): Promise<WalletConfig> {
  const path = join(folder, 'config.json')
  const text = await readText(path)
  const fields = text === null ? {} : parse<Record<string, unknown>>(path, text)
  const { limits, askAbove, withdrawalAddress = null } = fields
  try {
    return {
      limits: readLimits(limits),
      askAbove: readAskAbove(askAbove),
      withdrawalAddress: withdrawalAddress === null ? null : String(withdrawalAddress),
    }
  } catch (cause) {
    throw new StoreError(`${path} cannot be used.`, { cause })
  }
}

/** Null when there is none. */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
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

/** A new name in a folder is durable once the folder is. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
