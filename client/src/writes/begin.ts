import type { WriteName } from '../api/write-names.ts'
import type { JournalEntry, WalletState } from '../store/store.ts'
import { endDeadRuns, enterRun } from './run-records.ts'
import { Refused } from './write-spec.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The path with its parameters from the arguments, which are all ids of 32 bytes. @throws Refused when one is none */
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
  /** Hash of the request without what its sender chose in it; null: it chose nothing. */
  purposeHash?: string | null
  taskId: string | null
  key?: string | undefined
  /** Makes a second write where an equal one is open, or was until this call began. */
  again?: boolean | undefined
  owner: string
  isAlive: (owner: string) => boolean
  /** No person decided it. */
  isUnattended?: boolean
  /** How long its outcome is awaited, milliseconds. */
  waitMs?: number
  /** The call's begin, milliseconds: an equal write that was completed after it is joined as well. */
  calledAt?: number | undefined
  now: number
}

/** A call's place in the journal. */
export interface Begun {
  entry: JournalEntry
  runId: string
  /** A request of an earlier call may have reached the service. */
  isResumed: boolean
  /** Another call has begun the write, and may be at work on it. */
  isJoined: boolean
}

/**
 * Writes the entry before anything is sent. A call whose equal is open joins it under its key, although another process
 * may be at work on it: a key is paid for once, however many calls send it, and a fresh one could do the write twice. One that was
 * completed while this call waited for the files of the wallet was open when it began.
 * @throws Refused when the key is another request's, or used up
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
  // What a person has begun and nothing has counted yet, this call may count first.
  else if (standing.counted === '0') standing.isUnattended = true
  standing.updatedAt = now
  if (standing.state === 'refused') standing.state = 'reserved'
  return { entry: structuredClone(standing), runId, isResumed, isJoined }
}

/** Whether a request goes on with an earlier one that may have reached the service. */
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

/** A request of the same kind and arguments that is open, or was when the call began; one that was sent comes first. */
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
