import type { WriteName } from '../api/write-names.ts'
import { sha256Hex } from '../payments/payment-text.ts'
import type { JournalEntry, WalletState } from '../store/store.ts'
import { Refused } from './write-spec.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What identifies a request: two with the same hash are the same write when their key is. */
export function hashRequest(name: WriteName, path: string, input: unknown): Promise<string> {
  return sha256Hex(JSON.stringify([name, path, sorted(input)]))
}

/** The path with its parameters from the arguments, which are all ids of 32 bytes. @throws Refused when one is none */
export function fillPath(template: string, input: object): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (input as Record<string, unknown>)[name]
    if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase()
    throw new Refused('invalid_input', `The write needs \`${name}\`: 0x and 64 hex digits.`)
  })
}

/** The most that a run takes beside the time that it may wait for its outcome, milliseconds: requests and signatures. */
export const WORK_MS = 300_000

/**
 * Whether a call works on a write now. A process id says little: after a crash another process can have it. A call that
 * takes longer than its time is joined under the same key, which pays once.
 * @param now milliseconds
 */
export function isAtWork(
  { owner, updatedAt, workUntil = updatedAt + WORK_MS }: JournalEntry,
  { isAlive, now }: { isAlive: (owner: string) => boolean; now: number },
): boolean {
  return owner !== null && now < workUntil && isAlive(owner)
}

export interface Beginning {
  name: WriteName
  path: string
  requestHash: string
  taskId: string | null
  key?: string | undefined
  owner: string
  isAlive: (owner: string) => boolean
  /** No person decided it. */
  isUnattended?: boolean
  /** How long its outcome is awaited, milliseconds. */
  waitMs?: number
  now: number
}

/**
 * Writes the entry before anything is sent. A request that an earlier call has left open goes on under its old key: a
 * fresh one could do it twice.
 * @throws Refused when the key is another request's, at work or used up
 */
export function beginEntry(state: WalletState, beginning: Beginning): { entry: JournalEntry; isResumed: boolean } {
  const { name, path, requestHash, taskId, owner, isUnattended = false, waitMs = 0, now } = beginning
  const workUntil = now + waitMs + WORK_MS
  const key = readKey(beginning.key) ?? findOpen(state, beginning) ?? crypto.randomUUID()
  const known = state.entries[key]
  if (known === undefined) {
    const entry: JournalEntry = {
      key,
      operation: name,
      path,
      requestHash,
      taskId,
      createdAt: now,
      updatedAt: now,
      state: 'reserved',
      owner,
      workUntil,
      counted: '0',
      payment: null,
      unansweredUntil: null,
      txHash: null,
      ...(isUnattended && { isUnattended }),
    }
    state.entries[key] = entry
    return { entry: structuredClone(entry), isResumed: false }
  }
  if (known.requestHash !== requestHash) {
    throw new Refused('idempotency_key_conflict', 'This key belongs to another write of this wallet; use a fresh one.')
  }
  if (known.state === 'failed') throw new Refused('key_used_up', 'The write of this key has failed; use a fresh one.')
  if (isAtWork(known, beginning)) {
    throw new Refused('key_at_work', 'Another call works on this key right now.')
  }
  const isResumed = known.state === 'sent' || known.state === 'completed'
  known.owner = owner
  known.workUntil = workUntil
  if (!isUnattended) delete known.isUnattended
  known.updatedAt = now
  if (known.state === 'refused') known.state = 'reserved'
  return { entry: structuredClone(known), isResumed }
}

/** Whether a request goes on with an earlier one that may have reached the service. */
export function findStanding(
  state: WalletState,
  beginning: Pick<Beginning, 'requestHash' | 'key' | 'isAlive' | 'now'>,
): boolean {
  const key = beginning.key === undefined ? findOpen(state, beginning) : beginning.key.toLowerCase()
  const entry = Object.values(state.entries).find((one) => one.key === key)
  if (entry?.requestHash !== beginning.requestHash) return false
  return entry.state === 'sent' || entry.state === 'completed'
}

function readKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  const lower = key.toLowerCase()
  if (UUID.test(lower)) return lower
  throw new Refused('invalid_input', 'An idempotency key is a UUID.')
}

/** A request of the same kind and arguments whose outcome is open, and on which no call is at work. */
function findOpen(
  state: WalletState,
  beginning: Pick<Beginning, 'requestHash' | 'isAlive' | 'now'>,
): string | undefined {
  const open = Object.values(state.entries).find(
    (entry) => entry.requestHash === beginning.requestHash && entry.state === 'sent' && !isAtWork(entry, beginning),
  )
  return open?.key
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, sorted(inner)]))
}
