import type { WriteName } from '../api/write-names.ts'
import type { JournalEntry, WalletState } from '../store/store.ts'
import { endDeadRuns, enterRun } from './run-records.ts'
import { Refused } from './write-spec.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Fills the parameters of a path from the arguments, which are all ids of 32 bytes.
 * @throws Refused for another value
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
  /** Hash of the request without its sender's choices; null: the request has none. */
  purposeHash?: string | null
  taskId: string | null
  key?: string | undefined
  /** Makes a second write beside an equal one that is open, or was open until this call began. */
  again?: boolean | undefined
  owner: string
  isAlive: (owner: string) => boolean
  /** True when no user decided the write. */
  isUnattended?: boolean
  /** Timeout for the outcome, milliseconds. */
  waitMs?: number
  /** Start of the call, milliseconds. The call also joins an equal write that completed after it. */
  calledAt?: number | undefined
  now: number
}

/** Position of a call in the journal. */
export interface Begun {
  entry: JournalEntry
  runId: string
  /** A request of an earlier call may have reached the service. */
  isResumed: boolean
  /** Another call has begun the write and may be working on it. */
  isJoined: boolean
}

/**
 * Records the entry before anything is sent. A call joins an equal open write under its key: a key is paid for once, but a fresh
 * key could do the write twice. An equal write that completed while this call waited for the lease counts as open.
 * @throws Refused when the key belongs to another request, or is used up
 */
export function beginEntry(state: WalletState, beginning: Beginning): Begun {
  const { requestHash, isAlive, isUnattended = false, now } = beginning
  const key = readKey(beginning.key) ?? findOpen(state, beginning)?.key ?? crypto.randomUUID()
  const standing = state.entries[key]
  if (standing === undefined) {
    const entry = newEntry(key, beginning)
    state.entries[key] = entry
    const runId = enterRun(entry, beginning)
    return { entry: structuredClone(entry), runId, isResumed: false, isJoined: false }
  }
  if (standing.requestHash !== requestHash) {
    throw new Refused('idempotency_key_conflict', 'This key belongs to another write of this wallet; use a fresh one.')
  }
  if (standing.state === 'failed') {
    throw new Refused('key_used_up', 'The write of this key has failed; use a fresh one.')
  }
  const isResumed = standing.state === 'sent' || standing.state === 'completed'
  const isJoined = isResumed || standing.state === 'reserved'
  endDeadRuns(standing, { isAlive, now })
  const runId = enterRun(standing, beginning)
  if (!isUnattended) delete standing.isUnattended
  // This call may be the first to count a write that a user began and that nothing has counted yet.
  else if (standing.counted === '0') standing.isUnattended = true
  standing.updatedAt = now
  if (standing.state === 'refused') standing.state = 'reserved'
  return { entry: structuredClone(standing), runId, isResumed, isJoined }
}

/** Reports whether a request continues an earlier one that may have reached the service. */
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
  const lower = key.toLowerCase()
  if (UUID.test(lower)) return lower
  throw new Refused('invalid_input', 'An idempotency key is a UUID.')
}

/** Finds an equal request that is open, or was when the call began; a sent one comes first. */
function findOpen(
  state: WalletState,
  {
    requestHash,
    again = false,
    calledAt = Number.POSITIVE_INFINITY,
  }: Pick<Beginning, 'requestHash' | 'again' | 'calledAt'>,
): JournalEntry | undefined {
  if (again) return undefined
  const equal = Object.values(state.entries).filter((entry) => entry.requestHash === requestHash)
  return (
    equal.find((entry) => entry.state === 'sent') ??
    equal.find((entry) => entry.state === 'reserved') ??
    equal.find(({ state, completedAt = 0 }) => state === 'completed' && completedAt > calledAt)
  )
}
