import type { WriteName } from '../../../client/src/index.ts'
import { flagOpenWrites } from '../page/open-flag.ts'
import type { SheetRow } from './sheet-words.ts'

/**
 * A write whose outcome is not final. This browser stores the write, and can send the same body again after a reload.
 * The stored write contains the form's fields and the keys of uploaded files, but neither file contents nor signatures.
 */
export interface OpenWrite {
  key: string
  wallet: string
  name: WriteName
  input: Record<string, unknown>
  /** Noun phrase that describes the write. Example: `Posting a task for 40.00 USDC`. */
  title: string
  /** Payment rows of the confirmed payment sheet. */
  payment: readonly SheetRow[]
  /** Effect rows of the confirmed payment sheet: rows about what the write changes, and not about the payment. */
  effects: readonly SheetRow[]
  /** Path of the page to show after success. */
  page: string
  /** Time at which the person confirmed the write, in Unix milliseconds. */
  createdAt: number
}

const STORE = 'writes'
let databasePromise: Promise<IDBDatabase> | undefined

/** Stores a write. Must be called before the write is sent. */
export async function keepWrite(write: OpenWrite): Promise<void> {
  await change((store) => store.put(write))
  flagOpenWrites(true)
}

/**
 * Deletes a stored write. Call this function only if the write's outcome is final, or if the page will not send the
 * write again with this key.
 */
export async function dropWrite(key: string): Promise<void> {
  await change((store) => store.delete(key))
  flagOpenWrites((await listWrites()).length > 0)
}

/** Lists all stored writes, the oldest first. */
export async function listWrites(): Promise<OpenWrite[]> {
  const database = await open()
  const request = database.transaction(STORE).objectStore(STORE).getAll()
  const writes = (await resultOf(request)) as OpenWrite[]
  return writes.sort((one, other) => one.createdAt - other.createdAt)
}

/**
 * Returns a stored write with the same wallet, name and arguments; null if there is none. The caller must continue this
 * write and not send a new one.
 */
export async function findEqual(write: Pick<OpenWrite, 'wallet' | 'name' | 'input'>): Promise<OpenWrite | null> {
  const text = JSON.stringify(write.input)
  const isEqual = (one: OpenWrite) =>
    one.wallet === write.wallet && one.name === write.name && JSON.stringify(one.input) === text
  return (await listWrites()).find(isEqual) ?? null
}

async function change(act: (store: IDBObjectStore) => IDBRequest): Promise<void> {
  const database = await open()
  const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' })
  act(transaction.objectStore(STORE))
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('The browser keeps nothing.'))
  })
}

function open(): Promise<IDBDatabase> {
  databasePromise ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('task-market', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return databasePromise
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
