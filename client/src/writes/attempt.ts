import { readLimit } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { readChallenge } from '../payments/challenge.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'
import { authorize } from './authorize.ts'
import { isFactsChanged, MOST_CALLS } from './bound-payment.ts'
import type { Obstacle } from './earlier-escrow.ts'
import { type Judgement, judge } from './judge.ts'
import { readStanding } from './prepare-body.ts'
import { changeEntry, isSettled, noteSent, type Run } from './run.ts'
import { chargeOf } from './write-request.ts'
import { EARLIER_PAYMENT, Refused } from './write-spec.ts'

/**
 * The number of seconds for which a request can still reach the service after the connection was lost. Used for a
 * request without an authorization. An authorization has its own expiry.
 */
const LOST_SECONDS = 300

/**
 * Sends the write once. A paid write takes two requests: the answer to the first names the price, and the second
 * contains the payment.
 * @throws Refused, StoreError, SigningError
 */
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
  const reading = readChallenge(first.header, run.context.deployment)
  if (!reading.ok) {
    const { context, path } = run
    throw new Refused('wrong_challenge', `${context.url}${path}: ${reading.problem} Nothing was signed.`)
  }
  checkPrice(run, reading.challenge.amount)
  const authorization = await authorize(run, reading.challenge)
  run.isWaiting = authorization.kind === 'waits'
  switch (authorization.kind) {
    case 'signed':
      return await sendPaid(run, authorization.payment)
    case 'settled':
      return settledByOther
    case 'waits':
      return takeWait(run, authorization.obstacle)
    case 'refused':
      return authorization
  }
}

const settledByOther: Judgement = { kind: 'open', isAnswered: false, problem: 'Another call has settled this write.' }

/**
 * Returns the judgement of a run that cannot sign a payment yet, because an earlier payment was used or may still be
 * used.
 *
 * `obstacle`: null if the earlier payment belongs to the same write; otherwise the earlier payment with the key of its
 * write. If `obstacle` was used, the run is refused. In all other cases the outcome stays open: the run signs its own
 * payment when the earlier payment has expired unused or was cancelled.
 */
function takeWait({ entry: { payment } }: Run, obstacle: Obstacle | null): Judgement {
  if (obstacle === null) {
    const problem = `An earlier payment of this key may act until ${payment?.validBefore} (Unix seconds), or was used; a new one is signed when it has ended unused.`
    return { kind: 'open', isAnswered: false, problem }
  }
  const { key, isUsed, payment: earlierPayment } = obstacle
  if (!isUsed) {
    const problem = `A payment of another write for this (key ${key}) may act until ${earlierPayment.validBefore} (Unix seconds): this one is signed when that one has ended unused, or was cancelled.`
    return { kind: 'open', isAnswered: false, problem }
  }
  const message = `The payment of an equal write (key ${key}) was used: it has acted, whatever the service said. \`again\` makes a second one.`
  return { kind: 'refused', refusal: { reason: EARLIER_PAYMENT, message, status: null } }
}

/**
 * Checks that the price in the challenge is within the bounds that the client has calculated.
 * @throws Refused
 */
function checkPrice({ spec, normalised, task, name }: Run, amount: bigint): void {
  const { least, most } = chargeOf(spec.operation, normalised, task)
  if (amount >= least && amount <= most) return
  throw new Refused(
    'wrong_price',
    `The service asks ${amount} base units for ${name}; it is to cost ${least === most ? '' : 'at most '}${most}. Nothing was signed.`,
  )
}

async function sendPaid(run: Run, { header, validBefore }: NonNullable<Run['payment']>): Promise<Judgement> {
  run.hasSent = true
  const judgement = judge(await post(run, { 'PAYMENT-SIGNATURE': header }), true)
  noteLoss(run, judgement, validBefore)
  return isFactsChanged(judgement) ? await signAgain(run, judgement) : judgement
}

/**
 * Repeats a write with a new payment. The service has refused the previous payment, because facts of the task changed
 * and the contract call is now different. The client reads the new facts itself, and does not trust the service's
 * report. The client signs the new call only if the user agrees.
 *
 * Returns `judgement` unchanged if the service has already refused `MOST_CALLS` calls, if the deployment accepts no
 * bound payments, or if the write has a signed message. A new message would need a new request under another key.
 */
async function signAgain(run: Run, judgement: Extract<Judgement, { kind: 'refused' }>): Promise<Judgement> {
  const { payment, spec, context } = run
  run.callsSigned += 1
  const isBound = context.deployment.bound === true && spec.operation.signed === undefined
  if (payment === null || !isBound || run.callsSigned >= MOST_CALLS) return judgement
  run.changed = { nonce: payment.nonce, refusal: judgement.refusal }
  run.payment = null
  await readStanding(run)
  return await attemptWrite(run)
}

/**
 * Records in the journal that a request may reach the service until `until` (Unix seconds). Returns false if another
 * call of the client has already settled the write.
 */
async function markSent(run: Run, until: number): Promise<boolean> {
  const isOpen = await changeEntry(run, (keptEntry) => {
    if (isSettled(keptEntry)) return false
    noteSent(keptEntry, run.id, until)
    return true
  })
  run.hasSent ||= isOpen
  return isOpen
}

function noteLoss(run: Run, judgement: Judgement, until: number): void {
  if (judgement.kind === 'open' && !judgement.isAnswered) run.lostUntil = Math.max(run.lostUntil ?? 0, until)
}

/**
 * Sends the request of a write. If the write has a price and the request contains no payment, the service answers with
 * the price.
 */
function post({ context, path, key, bodyText, spec }: Run, headers: Record<string, string>) {
  const { url, fetch, legalReceipt, timing } = context
  const mayAct = spec.isFree || 'PAYMENT-SIGNATURE' in headers
  return sendRequest(
    fetch,
    {
      method: 'POST',
      // A proxy may add a path prefix; the text names the service's own path.
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
