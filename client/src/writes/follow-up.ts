import type { IntentStatus } from '../../../protocol/intent-statuses.ts'
import type { Judgement } from './judge.ts'
import type { Outcome, Refusal } from './outcome.ts'
import { describeHidden, type FoundIntent, type IntentRecord, readIntent } from './read-intent.ts'
import { changeEntry, isBound, type Run } from './run.ts'
import { leaveOpen, settleCompleted, settleFailed, settleRefused } from './settle.ts'
import { EARLIER_PAYMENT, Refused } from './write-spec.ts'

type AnyOutcome = Outcome<Record<string, unknown>>
/**
 * The next step of a write with an open outcome. `attempt`: send the same bytes again under the same key. `poll`: read
 * the service's record of the write.
 */
type Next = { next: 'attempt' | 'poll'; problem: string; isAnswered: boolean; pauseMs?: number }
type Step = { outcome: AnyOutcome } | Next

/** Sends a write, and polls the service's record until the outcome is certain or the timeout has passed. */
export async function followUp(run: Run, attempt: () => Promise<Judgement>): Promise<AnyOutcome> {
  const { timing } = run.context
  let pauseMs = timing.pauseMs
  let answeredProblem = ''
  for (let step = await take(run, await attempt()), isLook = false; ; ) {
    if ('outcome' in step) return step.outcome
    // When the record gives no reason, the answer to the write itself does.
    const isSilent = isLook && step.next === 'attempt'
    if (!isSilent) answeredProblem = step.problem
    const wait = Math.max(pauseMs, step.pauseMs ?? 0)
    if (performance.now() + wait > run.deadline) {
      return await giveUp(run, isSilent ? { ...step, problem: `${answeredProblem} ${step.problem}` } : step)
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
    pauseMs = Math.min(pauseMs * 1.5, timing.maxPauseMs)
    isLook = step.next === 'poll'
    step = isLook ? await look(run, await readIntent(run)) : await take(run, await attempt())
  }
}

async function take(run: Run, judgement: Judgement): Promise<Step> {
  switch (judgement.kind) {
    case 'done':
      return await takeAnswer(run, judgement)
    case 'mismatch':
      if (run.isResumed || (await isShared(run))) return await take(run, judgement.standing)
      // A reservation expires by itself and binds nothing to the key.
      return { outcome: await settleRefused(run, judgement.refusal, isReserved(judgement.standing)) }
    case 'refused':
      return await takeRefusal(run, judgement.refusal)
    case 'status':
      run.lastStatus = judgement.status
      if (judgement.status === 'completed' || judgement.status === 'failed') return await takeFinal(run, judgement)
      return { next: 'poll', problem: judgement.message, isAnswered: true }
    case 'challenge':
      throw new Error('a challenge is answered by the attempt')
    case 'open': {
      const { problem, isAnswered, retryAfterSeconds = 0 } = judgement
      return { next: 'poll', problem, isAnswered, pauseMs: retryAfterSeconds * 1000 }
    }
  }
}

function isReserved(judgement: Judgement): boolean {
  return judgement.kind === 'status' && judgement.status === 'reserved'
}

/**
 * Determines the outcome of a write after the service has answered with the status `completed` or `failed`. If the
 * service shows its record of the write, the record decides. Otherwise the status decides, except for a failed paid
 * write: its outcome stays open, because only the record tells whether the payment was refunded.
 */
async function takeFinal(run: Run, { status, txHash, message }: Extract<Judgement, { kind: 'status' }>): Promise<Step> {
  const intentReading = await readIntent(run)
  if (intentReading.kind === 'intent') return await takeRecord(run, intentReading.intent)
  if (intentReading.kind === 'unreadable') return { next: 'poll', problem: message, isAnswered: true }
  if (status === 'completed') return { outcome: await settleCompleted(run, { answer: null, txHash, taskId: null }) }
  const { payment } = run.entry
  const isPaid = payment !== null && payment.nonce !== '0x'
  // Only the record reports whether a payment was refunded.
  if (isPaid) return { outcome: await leaveOpen(run, describeHidden(run, intentReading.serviceHost)) }
  return { outcome: await settleFailed(run, { reason: 'write_failed', message: 'The write failed.', status: null }) }
}

/**
 * Returns true if another call of this client works on the same write under the same idempotency key. The service may
 * have received the key first with the arguments of the other call.
 */
async function isShared(run: Run): Promise<boolean> {
  if (run.isJoined) return true
  return await changeEntry(run, ({ runs }) => Object.keys(runs).some((id) => id !== run.id))
}

async function takeAnswer(
  run: Run,
  { body: answer, txHash: receipt }: Extract<Judgement, { kind: 'done' }>,
): Promise<Step> {
  const wasAsked = run.spec.isFree || run.payment !== null
  if (!wasAsked) throw new Refused('wrong_challenge', 'The service answered a paid write without a payment.')
  const { txHash, taskId } = answer
  const createdTaskId = run.name === 'createTask' && typeof taskId === 'string' ? taskId : null
  const statedHash = typeof txHash === 'string' ? txHash : receipt
  const intentReading = statedHash === null ? await readIntent(run) : null
  const hash = intentReading?.kind === 'intent' ? intentReading.intent.txHash : statedHash
  // An answer without a transaction, whose payment has no record, means that nothing was to be done, such as for a registered
  // wallet.
  const isUnpaid = run.payment !== null && intentReading?.kind === 'absent' && intentReading.isProven
  return { outcome: await settleCompleted(run, { answer, txHash: hash, taskId: createdTaskId, isUnpaid }) }
}

/**
 * Handles a refusal by the service. A refusal applies only to the refused request; an earlier request of the write may
 * still reach the service.
 */
async function takeRefusal(run: Run, refusal: Refusal): Promise<Step> {
  const { retryAfterSeconds } = refusal
  if (refusal.status === 429 && retryAfterSeconds !== undefined && fits(run, retryAfterSeconds * 1000)) {
    return { next: 'attempt', problem: refusal.message, isAnswered: true, pauseMs: retryAfterSeconds * 1000 }
  }
  if (run.lostUntil === null || run.lostUntil < (await run.context.now())) {
    return { outcome: await settleRefused(run, refusal) }
  }
  const intentReading = await readIntent(run)
  if (intentReading.kind === 'intent') return await look(run, intentReading)
  return { outcome: await leaveOpen(run, `${refusal.message} An earlier request of this write may still arrive.`) }
}

async function look(run: Run, intentReading: FoundIntent): Promise<Step> {
  if (intentReading.kind === 'intent') return await takeRecord(run, intentReading.intent)
  const isAnswered = intentReading.kind === 'absent'
  return { next: 'attempt', problem: describeNone(run, intentReading), isAnswered }
}

function describeNone(run: Run, intentReading: Exclude<FoundIntent, { kind: 'intent' }>): string {
  if (intentReading.kind === 'unreadable') return 'The record of the write cannot be read.'
  const isHidden = isBound(run) || (!intentReading.isProven && intentReading.serviceHost !== null)
  return isHidden ? describeHidden(run, intentReading.serviceHost) : 'The service has no write under this key.'
}

async function takeRecord(run: Run, intent: IntentRecord): Promise<Step> {
  const { status, txHash, taskId, terminalReason, refund } = intent
  run.lastStatus = status
  if (status === 'completed') return { outcome: await settleCompleted(run, { answer: null, txHash, taskId }) }
  if (status !== 'failed') return { next: 'poll', problem: `The write is ${status}.`, isAnswered: true }
  const reason = terminalReason ?? 'No reason is known.'
  if (refund === null || refund.status === 'refunded') {
    const message = `The write failed: ${reason}${refund === null ? '' : ' Its payment went back.'}`
    return { outcome: await settleFailed(run, { reason: 'write_failed', message, status: null }) }
  }
  if (refund.status === 'failed') {
    return { outcome: await leaveOpen(run, `The write failed, and its payment could not be returned yet: ${reason}`) }
  }
  return { next: 'poll', problem: `The write failed, and its payment is on its way back: ${reason}`, isAnswered: true }
}

/**
 * Ends the run at the timeout. The outcome is a refusal in two cases. In the first case, no request that can have an
 * effect was sent. In the second case, the service answered each request, cannot make the write now, and has no record
 * of the write. In all other cases the outcome stays open.
 */
async function giveUp(run: Run, { problem, isAnswered }: Next): Promise<AnyOutcome> {
  const status: IntentStatus | null = run.lastStatus
  if (!run.hasSent && !run.isResumed) {
    const message = `${problem} Nothing that can act was sent.`
    const reason = run.isWaiting ? EARLIER_PAYMENT : 'unreachable'
    return await settleRefused(run, { reason, message, status: null })
  }
  const isNowhere = isAnswered && (status === null || status === 'reserved') && run.lostUntil === null && !run.isWaiting
  if (isNowhere && !run.isResumed)
    return await settleRefused(run, { reason: 'unavailable', message: problem, status: null })
  return await leaveOpen(run, problem)
}

function fits(run: Run, milliseconds: number): boolean {
  return performance.now() + milliseconds < run.deadline
}
