import type { Hex } from 'viem'
import { readLimit } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { LEAST_VALID_SECONDS, signPayment, VALID_SECONDS } from '../payments/authorization.ts'
import { type Challenge, readChallenge } from '../payments/challenge.ts'
import { boundNonce, SERVICE_NAME } from '../payments/payment-text.ts'
import { countWrite } from '../store/ledger.ts'
import type { JournalEntry } from '../store/store.ts'
import { type Judgement, judge } from './judge.ts'
import { changeEntry, isSettled, noteSent, type Run } from './run.ts'
import { mayBeUsed } from './used-payment.ts'
import { chargeOf } from './write-request.ts'
import { Refused } from './write-spec.ts'

/** How long a request without a payment may still arrive after its connection is lost, seconds. */
const LOST_SECONDS = 300

/** Sends the write once: both rounds where it is paid. @throws Refused, StoreError, SigningError */
export async function attemptWrite(run: Run): Promise<Judgement> {
  const { spec, context } = run
  if (run.payment !== null) return await sendPaid(run, run.payment)
  if (!spec.isFree) return await afterFirst(run, judge(await post(run, {}), false))
  const until = run.bodyValidBefore ?? (await context.now()) + LOST_SECONDS
  if (!(await markSent(run, until))) return settledByOther
  const first = judge(await post(run, await context.identity()), false)
  noteLoss(run, first, until)
  return await afterFirst(run, first)
}

async function afterFirst(run: Run, first: Judgement): Promise<Judgement> {
  if (first.kind !== 'challenge') return first
  const read = readChallenge(first.header, run.context.deployment)
  if (!read.ok) {
    const { context, path } = run
    throw new Refused('wrong_challenge', `${context.url}${path}: ${read.problem} Nothing was signed.`)
  }
  checkPrice(run, read.challenge.amount)
  const payment = await authorize(run, read.challenge)
  if (payment === 'settled') return settledByOther
  return payment === null ? { kind: 'open', isAnswered: false, problem: endsFirst(run) } : await sendPaid(run, payment)
}

const settledByOther: Judgement = { kind: 'open', isAnswered: false, problem: 'Another call has settled this write.' }

function endsFirst({ entry: { payment } }: Run): string {
  return `An earlier payment of this key may act until ${payment?.validBefore} (Unix seconds), or was used; a new one is signed when it has ended unused.`
}

/** @throws Refused */
function checkPrice({ spec, normalised, task, name }: Run, amount: bigint): void {
  const { least, most } = chargeOf(spec.operation, normalised, task)
  if (amount >= least && amount <= most) return
  throw new Refused(
    'wrong_price',
    `The service asks ${amount} base units for ${name}; it is to cost ${least === most ? '' : 'at most '}${most}. Nothing was signed.`,
  )
}

/**
 * Counts the write, writes the authorization down, then signs it. The journal decides which one: another call of the write
 * may have written one since this call began. Null: one of other bytes may still be used.
 * @throws Refused, StoreError, SigningError
 */
async function authorize(run: Run, challenge: Challenge): Promise<Run['payment'] | 'settled'> {
  const { context, path, key, bodySha256 } = run
  const { account, deployment } = context
  const nonce = boundNonce(deployment, { method: 'POST', path, key, bodySha256 })
  const value = challenge.amount
  for (let examined = run.entry.payment; ; ) {
    const now = await context.now()
    if (examined !== null && examined.validBefore < now && (await mayBeUsed(context, examined))) return null
    const step = await writeDown(run, { nonce, value, now, examined })
    run.entry.payment = step.payment
    if (step.next === 'examine') {
      examined = step.payment
      continue
    }
    if (step.next !== 'sign') return step.next === 'settled' ? 'settled' : null
    const { validBefore } = step.payment
    const authorization = { to: deployment.forwarder, value, validBefore, nonce }
    const header = await signPayment(account, deployment, { challenge, authorization })
    // A signature can take a person minutes: another call may have paid by a new payment since this one ended.
    examined = step.payment
    if (validBefore < (await context.now())) continue
    run.payment = { header, value, validBefore }
    return run.payment
  }
}

type Payment = NonNullable<JournalEntry['payment']>
type AuthorizeStep =
  | { next: 'sign'; payment: Payment }
  /** `wait`: the journal's payment may still be used. `examine`: it is not the one that was examined. */
  | { next: 'settled' | 'wait' | 'examine'; payment: JournalEntry['payment'] }

/** @param examined the payment that has ended unused, or may still be used */
function writeDown(
  run: Run,
  { nonce, value, now, examined }: { nonce: Hex; value: bigint; now: number; examined: JournalEntry['payment'] },
): Promise<AuthorizeStep> {
  return changeEntry(run, (kept, state): AuthorizeStep => {
    const { payment: before } = kept
    if (isSettled(kept)) return { next: 'settled', payment: before }
    let validBefore = now + VALID_SECONDS
    if (before !== null && before.validBefore >= now) {
      const isEnding = before.validBefore < now + LEAST_VALID_SECONDS
      if (before.nonce !== nonce || isEnding) return { next: 'wait', payment: before }
      validBefore = before.validBefore
    } else if (before?.nonce !== examined?.nonce || before?.validBefore !== examined?.validBefore) {
      return { next: 'examine', payment: before }
    }
    const { limits, unattendedLimit } = run
    const amount = run.decided + value
    const excess = countWrite(state, kept, { amount, limits, unattendedLimit, now: Date.now() })
    if (excess !== null) throw new Refused('limit_exceeded', `${excess} Nothing was signed.`)
    const payment = { nonce, value: value.toString(), validBefore }
    kept.payment = payment
    noteSent(kept, run.id, validBefore)
    return { next: 'sign', payment }
  })
}

async function sendPaid(run: Run, { header, validBefore }: NonNullable<Run['payment']>): Promise<Judgement> {
  run.hasSent = true
  const judgement = judge(await post(run, { 'PAYMENT-SIGNATURE': header }), true)
  noteLoss(run, judgement, validBefore)
  return judgement
}

/** False: another call has settled the write. */
async function markSent(run: Run, until: number): Promise<boolean> {
  const isOpen = await changeEntry(run, (kept) => {
    if (isSettled(kept)) return false
    noteSent(kept, run.id, until)
    return true
  })
  run.hasSent ||= isOpen
  return isOpen
}

function noteLoss(run: Run, judgement: Judgement, until: number): void {
  if (judgement.kind === 'open' && !judgement.isAnswered) run.lostUntil = Math.max(run.lostUntil ?? 0, until)
}

/** Without a payment, a paid write is asked for its price only. */
function post({ context, path, key, bodyText, spec }: Run, headers: Record<string, string>) {
  const { url, fetch, legalReceipt, timing } = context
  const mayAct = spec.isFree || 'PAYMENT-SIGNATURE' in headers
  return sendRequest(
    fetch,
    {
      method: 'POST',
      // A root below a path is a matter of the way to the service: what is named is the service's own path.
      url: `${url}${path}`,
      headers: {
        [`X-${capital(SERVICE_NAME)}-Idempotency-Key`]: key,
        Prefer: 'handling=strict',
        ...(legalReceipt !== null && { [`X-${capital(SERVICE_NAME)}-Legal-Receipt`]: legalReceipt }),
        ...headers,
      },
      body: bodyText,
    },
    mayAct ? timing.requestMs : readLimit(timing),
  )
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
