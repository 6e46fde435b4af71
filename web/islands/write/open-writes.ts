import type { WriteName } from '../../../client/src/index.ts'
import { flagOpenWrites } from '../page/open-flag.ts'
import type { SheetRow } from './sheet-words.ts'

/**
 * A write with an open outcome, stored in this browser until it is final, so that the same body can be sent again after a reload.
 * It contains fields and keys of uploaded files; no bytes of files, no signatures.
 */
export interface OpenWrite {
  key: string
  wallet: string
  name: WriteName
  input: Record<string, unknown>
  /** Noun phrase for the write. Example: `Posting a task for 40.00 USDC`. */
  title: string
  /** Lines of the confirmed payment sheet. */
  payment: readonly SheetRow[]
  effects: readonly SheetRow[]
  /** Page to show after success. */
  page: string
  /** Time of the confirmation, Unix milliseconds. */
  createdAt: number
}

const STORE = 'writes'
let opening: Promise<IDBDatabase> | undefined

/** Stores a write before anything of it is sent. */
export async function keepWrite(write: OpenWrite): Promise<void> {
  await change((store) => store.put(write))
  flagOpenWrites(true)
}

/** Deletes a write that is final. */
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

/** Returns an open write with the same arguments, which is continued instead of made twice. */
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
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('task-market', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opening
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
