import type { Hex } from 'viem'
import { BOUND_VALID_SECONDS, LEAST_VALID_SECONDS, signPayment, VALID_SECONDS } from '../payments/authorization.ts'
import type { Challenge } from '../payments/challenge.ts'
import { countWrite, paymentsOf } from '../store/ledger.ts'
import type { JournalEntry, SignedPayment } from '../store/store.ts'
import { findDisagreement, type PaymentPlan, planPayment } from './bound-payment.ts'
import { examineEarlierEscrow, findObstacle, type Obstacle } from './earlier-escrow.ts'
import type { Refusal } from './outcome.ts'
import { changeEntry, isSettled, noteSent, type Run } from './run.ts'
import { isAnyUsed, isCancelled } from './used-payment.ts'
import { Refused } from './write-spec.ts'

/** The client's reaction to a payment challenge. */
type Authorized =
  | { kind: 'signed'; payment: NonNullable<Run['payment']> }
  /** Another call of the client has settled the write. */
  | { kind: 'settled' }
  /**
   * No payment was signed, because an earlier payment was used or may still be used. `obstacle`: the earlier payment if
   * it belongs to another write; null if it belongs to this write.
   */
  | { kind: 'waits'; obstacle: Obstacle | null }
  /** The user has not agreed to the contract call. */
  | { kind: 'refused'; refusal: Refusal }

/**
 * Checks the write against the limits, records the payment authorization in the journal, and signs the recorded
 * authorization.
 * @throws Refused, StoreError, SigningError
 */
export async function authorize(run: Run, challenge: Challenge): Promise<Authorized> {
  // Only the recorded authorization is signed: a concurrent call may have recorded its own authorization for this
  // write.
  const { context } = run
  const { account, deployment } = context
  const value = challenge.amount
  const plan = await planPayment(run, value)
  for (let examinedPayment = run.entry.payment; ; ) {
    const refusal = await findDisagreement(run, plan)
    if (refusal !== null) return { kind: 'refused', refusal }
    const now = await context.signingTime()
    const others = paymentsOf({ ...run.entry, payment: examinedPayment })
    const doubtfulPayments = others.filter(({ nonce, validBefore }) => nonce !== plan.nonce || validBefore < now)
    if (await isAnyUsed(context, doubtfulPayments)) return { kind: 'waits', obstacle: null }
    const voidedNonces = await listCancelled(context, doubtfulPayments)
    const passedTime = await readPassed(context, now)
    const escrow = await examineEarlierEscrow(run, { call: plan.call, passed: passedTime })
    const step = await writeDown(run, {
      plan,
      value,
      now,
      passed: passedTime,
      examined: examinedPayment,
      voided: voidedNonces,
      escrow,
    })
    Object.assign(run.entry, step.signed)
    if (step.next === 'examine') {
      examinedPayment = run.entry.payment
      continue
    }
    if (step.next === 'settled') return { kind: 'settled' }
    if (step.next === 'waits') return { kind: 'waits', obstacle: step.obstacle }
    const { validBefore } = step.payment
    const { nonce, salt } = plan
    const authorization = { to: deployment.forwarder, value, validBefore, nonce, ...(salt !== undefined && { salt }) }
    const header = await signPayment(account, deployment, { challenge, authorization })
    // A signature may take a user minutes, so another call may have paid with a new payment since the examined one ended.
    examinedPayment = step.payment
    if (validBefore < (await context.signingTime())) continue
    run.payment = { header, value, validBefore, nonce }
    return { kind: 'signed', payment: run.payment }
  }
}

/** The next step of `authorize`. `signed` contains the authorizations that are recorded in the journal. */
type Step = { signed: Pick<JournalEntry, 'payment' | 'earlierPayments'> } & (
  | { next: 'sign'; payment: SignedPayment }
  /**
   * The next steps in which the client signs nothing. `waits`: the write must wait, because an earlier payment was used
   * or may still be used. `settled`: another call of the client has settled the write. `examine`: another call has
   * replaced the payment in the journal, so the client must first check the replacement on the chain.
   */
  | { next: 'waits'; obstacle: Obstacle | null }
  | { next: 'settled' }
  | { next: 'examine' }
)

/** The facts from which `authorize` chooses the payment that it stores in the journal before signing. */
interface Asked {
  plan: PaymentPlan
  /** The time at which the lifetime of a new authorization starts, in Unix seconds. */
  now: number
  /**
   * A time in Unix seconds that has certainly passed, even if the clock of the service or of this machine is wrong. An
   * authorization that expired before this time can no longer be used.
   */
  passed: number
  /**
   * The journal's latest payment, after the client found on the chain that the payment is unused. Null if the journal
   * contained no payment.
   */
  examined: JournalEntry['payment']
  /** The nonces of payments that the wallet has cancelled on the chain. */
  voided: readonly Hex[]
  /**
   * The result of `examineEarlierEscrow` about the wallet's earlier payments for other writes: the payment that was
   * already used on the chain, and the payments that the client need not wait for any more.
   */
  escrow: Awaited<ReturnType<typeof examineEarlierEscrow>>
}

function writeDown(run: Run, { value, ...signingFacts }: Asked & { value: bigint }): Promise<Step> {
  const { plan, now } = signingFacts
  return changeEntry(run, (keptEntry, state): Step => {
    const { payment: before } = keptEntry
    const obstacle = findObstacle(state, keptEntry, { call: plan.call, examined: signingFacts.escrow })
    const next = isSettled(keptEntry) ? 'settled' : obstacle === null ? nextOf(keptEntry, signingFacts) : 'waits'
    if (next === 'waits') return { next, obstacle, signed: signedIn(keptEntry) }
    if (next !== 'sign') return { next, signed: signedIn(keptEntry) }
    const isRepeated = before !== null && before.nonce === plan.nonce && before.validBefore >= now
    const validBefore = isRepeated ? before.validBefore : now + lifeOf(plan)
    const { limits, unattendedLimit } = run
    const standingAmount = othersIn(keptEntry, signingFacts).reduce((sum, other) => sum + BigInt(other.value), 0n)
    const amount = run.decided + value + standingAmount
    const excess = countWrite(state, keptEntry, { amount, limits, unattendedLimit, now: Date.now() })
    if (excess !== null) throw new Refused('limit_exceeded', `${excess} Nothing was signed.`)
    if (plan.call !== null && before !== null && before.nonce !== plan.nonce) {
      keptEntry.earlierPayments = [...(keptEntry.earlierPayments ?? []), before]
    }
    const payment = { nonce: plan.nonce, value: value.toString(), validBefore, ...boundPartOf(plan) }
    keptEntry.payment = payment
    noteSent(keptEntry, run.id, validBefore)
    return { next: 'sign', payment, signed: signedIn(keptEntry) }
  })
}

/**
 * Decides whether the planned payment may be signed while earlier payments of the same write may still be used.
 *
 * `waits`: the planned payment must wait. This is the case if an earlier payment may still be used, and if the planned
 * payment or an earlier one is unbound or has an escrow amount. This is also the case if the planned payment is already
 * in the journal, but expires too soon. `examine`: the client must first check the journal's latest payment on the
 * chain. `sign`: the planned payment may be signed.
 */
function nextOf(keptEntry: JournalEntry, signingFacts: Asked): 'sign' | 'waits' | 'examine' {
  const { plan, now, examined } = signingFacts
  const { payment: before } = keptEntry
  const others = othersIn(keptEntry, signingFacts)
  const isEscrow = plan.call === null || plan.call.escrowAmount > 0n || others.some(({ escrow }) => escrow !== '0')
  if (others.length > 0 && isEscrow) return 'waits'
  const isStanding = before !== null && before.validBefore >= now
  if (isStanding && before.nonce === plan.nonce) {
    return before.validBefore < now + LEAST_VALID_SECONDS ? 'waits' : 'sign'
  }
  const isExamined = before?.nonce === examined?.nonce && before?.validBefore === examined?.validBefore
  return isExamined ? 'sign' : 'examine'
}

/** Returns the entry's payments that may still be used, except the payment with the planned nonce. */
function othersIn(entry: JournalEntry, { plan, passed, voided }: Asked): SignedPayment[] {
  return paymentsOf(entry).filter(
    ({ nonce, validBefore }) => nonce !== plan.nonce && validBefore >= passed && !voided.includes(nonce),
  )
}

/**
 * Returns a time in Unix seconds that has certainly passed, even if the clock of the service or of this machine is
 * wrong. The result is the node's time. If no node answers, the result is the service's time or this machine's time,
 * whichever is earlier.
 */
async function readPassed({ chain }: Run['context'], now: number): Promise<number> {
  // With a fast service clock alone, the service could get a second payment while the first can still be used.
  const localNow = Math.min(now, Math.floor(Date.now() / 1000))
  return chain === null ? localNow : await chain.now().catch(() => localNow)
}

async function listCancelled(context: Run['context'], payments: readonly SignedPayment[]): Promise<Hex[]> {
  const cancellations = await Promise.all(payments.map((payment) => isCancelled(context, payment)))
  return payments.filter((_, at) => cancellations[at]).map(({ nonce }) => nonce)
}

function signedIn({ payment, earlierPayments }: JournalEntry): Step['signed'] {
  return structuredClone({ payment, ...(earlierPayments && { earlierPayments }) })
}

function lifeOf({ call }: PaymentPlan): number {
  return call === null ? VALID_SECONDS : BOUND_VALID_SECONDS
}

function boundPartOf({ salt, call }: PaymentPlan): { salt?: Hex; escrow?: string } {
  return salt === undefined || call === null ? {} : { salt, escrow: call.escrowAmount.toString() }
}
