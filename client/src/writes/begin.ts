import type { WriteName } from '../api/write-names.ts'
import type { JournalEntry, WalletState } from '../store/store.ts'
import { endDeadRuns, enterRun } from './run-records.ts'
import { Refused } from './write-spec.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Replaces the parameters in a path template by the arguments of the same names.
 * @throws Refused when an argument is not an id of 32 bytes in hex
 */
export function fillPath(template: string, input: object): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (input as Record<string, unknown>)[name]
    if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase()
    throw new Refused('invalid_input', `The write needs \`${name}\`: 0x and 64 hex digits.`)
  })
}

export interface Beginning {
  name: WriteName
  path: string
  requestHash: string
  /**
   * The hash of the operation, the path and the arguments, but without the document's salt and time. Two writes with
   * the same purpose have the same hash. If the caller passed neither a salt nor a time, this field is null or absent,
   * because `requestHash` already is the hash without salt and time.
   */
  purposeHash?: string | null
  taskId: string | null
  key?: string | undefined
  /**
   * True to make a second write in any case. If `again` is false and the call has no key, this call continues an equal
   * write whose outcome is open. The same applies to an equal write that completed after this call started.
   */
  again?: boolean | undefined
  owner: string
  isAlive: (owner: string) => boolean
  /** True if no user has confirmed the write. */
  isUnattended?: boolean
  /** The longest time in milliseconds to wait for the outcome of the write. */
  waitMs?: number
  /**
   * The time at which the call started, in Unix milliseconds. If an equal write completed after this time, the call
   * returns the outcome of that write and makes no second write.
   */
  calledAt?: number | undefined
  now: number
}

/** The journal entry of a write, after this client call was recorded in it. */
export interface Begun {
  entry: JournalEntry
  runId: string
  /** True if a request of an earlier client call may have reached the service. */
  isResumed: boolean
  /** True if another client call has begun the write and may still be working on it. */
  isJoined: boolean
}

/**
 * Records the write in the journal before any request is sent. If the caller passed no key, and the journal contains an
 * equal write (a write with the same request hash) whose outcome is open, this call continues the equal write under its
 * key. The same applies to an equal write that completed after this call started. `again` prevents both.
 * @throws Refused when the key belongs to another request, or can no longer be used
 */
export function beginEntry(state: WalletState, beginning: Beginning): Begun {
  // A new key could make the write twice. Each key is paid only once.
  const { requestHash, isAlive, isUnattended = false, now } = beginning
  const key = readKey(beginning.key) ?? findOpen(state, beginning)?.key ?? crypto.randomUUID()
  const standingEntry = state.entries[key]
  if (standingEntry === undefined) {
    const entry = newEntry(key, beginning)
    state.entries[key] = entry
    const runId = enterRun(entry, beginning)
    return { entry: structuredClone(entry), runId, isResumed: false, isJoined: false }
  }
  if (standingEntry.requestHash !== requestHash) {
    throw new Refused('idempotency_key_conflict', 'This key belongs to another write of this wallet; use a fresh one.')
  }
  if (standingEntry.state === 'failed') {
    throw new Refused('key_used_up', 'The write of this key has failed; use a fresh one.')
  }
  const isResumed = standingEntry.state === 'sent' || standingEntry.state === 'completed'
  const isJoined = isResumed || standingEntry.state === 'reserved'
  endDeadRuns(standingEntry, { isAlive, now })
  const runId = enterRun(standingEntry, beginning)
  if (!isUnattended) delete standingEntry.isUnattended
  // This call may be the first to count a write that a user began and that nothing has counted yet.
  else if (standingEntry.counted === '0') standingEntry.isUnattended = true
  standingEntry.updatedAt = now
  if (standingEntry.state === 'refused') standingEntry.state = 'reserved'
  return { entry: structuredClone(standingEntry), runId, isResumed, isJoined }
}

/**
 * Reports whether a call with this request would continue an earlier write whose request may have reached the service.
 * With a `key`, the earlier write is the write under the key, if that write has the same request hash. Without a `key`,
 * the journal is searched for a write with the same request hash (see `findOpen`).
 */
export function findStanding(
  state: WalletState,
  { requestHash, key, again, calledAt }: Pick<Beginning, 'requestHash' | 'key' | 'again' | 'calledAt'>,
): boolean {
  const entry = key === undefined ? findOpen(state, { requestHash, again, calledAt }) : state.entries[key.toLowerCase()]
  if (entry?.requestHash !== requestHash) return false
  return entry.state === 'sent' || entry.state === 'completed'
}

function newEntry(key: string, beginning: Beginning): JournalEntry {
  const { name, path, requestHash, purposeHash = null, taskId, isUnattended = false, now } = beginning
  return {
    key,
    operation: name,
    path,
    requestHash,
    taskId,
    createdAt: now,
    updatedAt: now,
    state: 'reserved',
    runs: {},
    counted: '0',
    payment: null,
    unansweredUntil: null,
    txHash: null,
    ...(purposeHash !== null && { purposeHash }),
    ...(isUnattended && { isUnattended }),
  }
}

function readKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  const lowerKey = key.toLowerCase()
  if (UUID.test(lowerKey)) return lowerKey
  throw new Refused('invalid_input', 'An idempotency key is a UUID.')
}

/**
 * Finds the journal entry of a write with the same request hash. The entry matches if the outcome of its write is not
 * known yet, or if its write completed after this call started. Prefers an entry whose request was sent. Returns
 * undefined if there is no matching entry, or if `again` is true.
 */
function findOpen(
  state: WalletState,
  {
    requestHash,
    again = false,
    calledAt = Number.POSITIVE_INFINITY,
  }: Pick<Beginning, 'requestHash' | 'again' | 'calledAt'>,
): JournalEntry | undefined {
  if (again) return undefined
  const equalEntries = Object.values(state.entries).filter((entry) => entry.requestHash === requestHash)
  return (
    equalEntries.find((entry) => entry.state === 'sent') ??
    equalEntries.find((entry) => entry.state === 'reserved') ??
    equalEntries.find(({ state, completedAt = 0 }) => state === 'completed' && completedAt > calledAt)
  )
}
