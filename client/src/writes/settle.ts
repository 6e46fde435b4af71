import { assignTask, isOutstanding, noteReward, uncountWrite } from '../store/ledger.ts'
import { StoreError } from '../store/store.ts'
import type { Outcome, Refusal } from './outcome.ts'
import { changeEntry, type Run } from './run.ts'

type AnyOutcome = Outcome<Record<string, unknown>>

/** Facts of a completed write. */
export interface Completion {
  answer: Record<string, unknown> | null
  txHash: string | null
  taskId: string | null
}

/** The write is done. A disk that fails now does not change that: the next call finds it done. */
export async function settleCompleted(run: Run, { answer, txHash, taskId }: Completion): Promise<AnyOutcome> {
  const reward = run.spec.reward?.(run.input) ?? null
  await keep(run, (entry, state) => {
    entry.state = 'completed'
    entry.owner = null
    entry.unansweredUntil = null
    entry.txHash = txHash
    if (taskId !== null) assignTask(state, entry, taskId)
    if (reward !== null && entry.taskId !== null) noteReward(state, entry.taskId, reward)
  })
  return { kind: 'completed', key: run.key, answer, txHash, taskId, paid: paidBy(run) }
}

/**
 * Nothing was done. What was counted is free again, at once or when nothing signed can be used any more: that the service
 * has ended a key is its word alone.
 * @param isKeyUsable false: the service has ended this key
 */
export async function settleRefused(run: Run, refusal: Refusal, isKeyUsable = true): Promise<AnyOutcome> {
  await keep(run, (entry, state) => {
    entry.state = isKeyUsable ? 'refused' : 'failed'
    entry.owner = null
    entry.unansweredUntil = run.lostUntil
    // A payment that was signed is looked up before the next write, where there is a node.
    const hasPayment = entry.payment !== null && entry.payment.nonce !== '0x'
    if (!hasPayment && !isOutstanding(entry, Date.now())) uncountWrite(state, entry)
  })
  return { kind: 'refused', key: run.key, isKeyUsable, ...refusal }
}

/** The outcome is open: the next call with the same arguments goes on with this key. */
export async function leaveOpen(run: Run, message: string): Promise<AnyOutcome> {
  await keep(run, (entry) => {
    entry.owner = null
    if (entry.state === 'reserved' && run.hasSent) entry.state = 'sent'
    entry.unansweredUntil = later(entry.unansweredUntil, run.lostUntil)
  })
  const { key, lastStatus } = run
  const isBound = lastStatus !== null && lastStatus !== 'reserved'
  if (!isBound) return { kind: 'unknown', key, message }
  return { kind: 'inFlight', key, status: lastStatus, txHash: null, message }
}

async function keep(run: Run, change: Parameters<typeof changeEntry<void>>[1]): Promise<void> {
  try {
    await changeEntry(run, change)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

function paidBy({ payment, entry }: Run): bigint {
  return payment?.value ?? BigInt(entry.payment?.value ?? '0')
}

function later(a: number | null, b: number | null): number | null {
  return a === null ? b : Math.max(a, b ?? 0)
}
