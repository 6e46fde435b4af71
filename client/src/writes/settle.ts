import type { WriteName } from '../api/write-names.ts'
import { assignTask, isOutstanding, noteReward, uncountWrite } from '../store/ledger.ts'
import { type JournalEntry, StoreError } from '../store/store.ts'
import type { Outcome, Refusal } from './outcome.ts'
import { changeEntry, isBound, isSettled, type Run } from './run.ts'
import { endRun, isAtWork } from './run-records.ts'

type AnyOutcome = Outcome<Record<string, unknown>>

/** The facts of a completed write. */
export interface Completion {
  answer: Record<string, unknown> | null
  txHash: string | null
  taskId: string | null
  /**
   * True if the service took no payment because there was nothing to do. Example: the wallet was already registered.
   */
  isUnpaid?: boolean
}

/**
 * Records that a write is completed. A disk error does not change the outcome: the next call reads the outcome from the
 * service.
 */
export async function settleCompleted(
  run: Run,
  { answer, txHash, taskId, isUnpaid = false }: Completion,
): Promise<AnyOutcome> {
  const { reward } = run
  await keep(run, (entry, state) => {
    endRun(entry, run.id, null)
    entry.state = 'completed'
    entry.completedAt ??= Date.now()
    if (isUnpaid) entry.isUnpaid = true
    entry.unansweredUntil = null
    delete entry.isLeftOpen
    entry.txHash = txHash
    if (taskId !== null) assignTask(state, entry, taskId)
    if (reward !== null && entry.taskId !== null) noteReward(state, entry.taskId, reward)
  })
  return { kind: 'completed', key: run.key, answer, txHash, taskId, paid: isUnpaid ? 0n : paidBy(run) }
}

/**
 * Records that a write has failed according to the service's record. The write's idempotency key cannot be used again.
 */
export async function settleFailed(run: Run, refusal: Refusal): Promise<AnyOutcome> {
  await keep(run, (entry, state) => {
    endRun(entry, run.id, run.lostUntil)
    if (entry.state === 'completed') return
    entry.state = 'failed'
    uncountUnpaid(entry, state)
  })
  return { kind: 'refused', key: run.key, isKeyUsable: false, ...refusal }
}

/**
 * Ends a call of the client after a refusal. If another call has settled the same write, returns that call's outcome.
 * If another call is still working on the write, or may have sent it, the outcome stays open. Otherwise the write is
 * recorded as refused.
 *
 * If no payment was signed and no request can still arrive, the write's amount stops counting toward the limits. If a
 * payment was signed, the amount counts until the next write finds the payment unused on the chain.
 * @param isKeyUsable false if the idempotency key cannot be used again
 */
export async function settleRefused(run: Run, refusal: Refusal, isKeyUsable = true): Promise<AnyOutcome> {
  const { isAlive } = run.context.store
  const seconds = await run.context.now()
  const entryOrState = await keep(run, (entry, state): 'refused' | 'open' | JournalEntry => {
    const mayArrive = entry.unansweredUntil !== null && entry.unansweredUntil >= seconds
    endRun(entry, run.id, run.lostUntil)
    if (isSettled(entry)) return structuredClone(entry)
    const wasSentByOther = entry.isLeftOpen === true && !run.hasSent && !run.isResumed
    if (mayArrive || wasSentByOther || isAtWork(entry, { isAlive, now: Date.now() })) return 'open'
    entry.state = isKeyUsable ? 'refused' : 'failed'
    delete entry.isLeftOpen
    uncountUnpaid(entry, state)
    return 'refused'
  })
  if (entryOrState === 'open') {
    const message = `${refusal.message} Another call of this write is at work, or its request may still arrive.`
    return openOutcome(run, message)
  }
  if (typeof entryOrState === 'object') return toOutcome(entryOrState)
  return { kind: 'refused', key: run.key, isKeyUsable, ...refusal }
}

/**
 * Leaves the outcome of a write open. The next call with the same arguments continues the write under its idempotency
 * key.
 */
export async function leaveOpen(run: Run, message: string): Promise<AnyOutcome> {
  const standingEntry = await keep(run, (entry) => {
    endRun(entry, run.id, run.lostUntil)
    if (isSettled(entry)) return structuredClone(entry)
    if (run.hasSent) Object.assign(entry, { state: 'sent', isLeftOpen: true })
    return null
  })
  return standingEntry === null || standingEntry === undefined ? openOutcome(run, message) : toOutcome(standingEntry)
}

/** Returns the outcome of a settled write according to its journal entry. */
export function toOutcome({ key, state, txHash, taskId, payment, operation, isUnpaid }: JournalEntry): AnyOutcome {
  if (state === 'completed') {
    const createdTask = (operation as WriteName) === 'createTask' ? taskId : null
    const paidAmount = isUnpaid === true ? 0n : BigInt(payment?.value ?? '0')
    return { kind: 'completed', key, answer: null, txHash, taskId: createdTask, paid: paidAmount }
  }
  const isKeyUsable = state !== 'failed'
  const endState = state as Exclude<typeof state, 'sent'>
  const what = { reserved: 'was not sent', refused: 'was refused', failed: 'failed' }[endState]
  return { kind: 'refused', key, isKeyUsable, reason: `write_${endState}`, message: `The write ${what}.`, status: null }
}

function openOutcome({ key, lastStatus }: Run, message: string): AnyOutcome {
  if (lastStatus === null || !isBound({ lastStatus })) return { kind: 'unknown', key, message }
  return { kind: 'inFlight', key, status: lastStatus, txHash: null, message }
}

/**
 * Subtracts the amount of a write from the sums that are compared with the limits, if the wallet signed no payment for
 * the write and no request of the write can still arrive. If the wallet signed a payment, the amount stays until the
 * next write finds the payment unused on the chain.
 */
function uncountUnpaid(entry: JournalEntry, state: Parameters<typeof uncountWrite>[0]): void {
  const hasPayment = entry.payment !== null && entry.payment.nonce !== '0x'
  if (!hasPayment && !isOutstanding(entry, Date.now())) uncountWrite(state, entry)
}

/**
 * Changes the run's journal entry.
 * @returns the result of the change; undefined after a disk error
 */
async function keep<T>(run: Run, change: Parameters<typeof changeEntry<T>>[1]): Promise<T | undefined> {
  try {
    return await changeEntry(run, change)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return undefined
  }
}

function paidBy({ payment, entry }: Run): bigint {
  return payment?.value ?? BigInt(entry.payment?.value ?? '0')
}
