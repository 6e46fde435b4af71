import { sendRequest } from '../http/send.ts'
import { LEAST_VALID_SECONDS, signPayment, VALID_SECONDS } from '../payments/authorization.ts'
import { type Challenge, readChallenge } from '../payments/challenge.ts'
import { boundNonce, SERVICE_NAME } from '../payments/payment-text.ts'
import { countWrite } from '../store/ledger.ts'
import { type Judgement, judge } from './judge.ts'
import { changeEntry, type Run } from './run.ts'
import { mayBeUsed } from './used-payment.ts'
import { Refused } from './write-spec.ts'

/** How long a request without a payment may still arrive after its connection is lost, seconds. */
const LOST_SECONDS = 300

/** Sends the write once: both rounds where it is paid. @throws Refused, StoreError, SigningError */
export async function attemptWrite(run: Run): Promise<Judgement> {
  const { spec, context } = run
  if (run.payment !== null) return await sendPaid(run, run.payment)
  if (!spec.isFree) return await afterFirst(run, judge(await post(run, {}), false))
  const until = run.bodyValidBefore ?? (await context.now()) + LOST_SECONDS
  await markSent(run, until)
  const first = judge(await post(run, await context.identity()), false)
  noteLoss(run, first, until)
  return await afterFirst(run, first)
}

async function afterFirst(run: Run, first: Judgement): Promise<Judgement> {
  if (first.kind !== 'challenge') return first
  const read = readChallenge(first.header, run.context.deployment)
  if (!read.ok) throw new Refused('wrong_challenge', `${read.problem} Nothing was signed.`)
  checkPrice(run, read.challenge.amount)
  const payment = await authorize(run, read.challenge)
  return payment === null ? { kind: 'open', isAnswered: false, problem: endsFirst(run) } : await sendPaid(run, payment)
}

function endsFirst({ entry: { payment } }: Run): string {
  return `An earlier payment of this key may act until ${payment?.validBefore} (Unix seconds), or was used; a new one is signed when it has ended unused.`
}

/** @throws Refused */
function checkPrice({ spec, input, task, name }: Run, amount: bigint): void {
  const { most, exact } = spec.price(input, task)
  if (exact === true ? amount === most : amount <= most) return
  throw new Refused(
    'wrong_price',
    `The service asks ${amount} base units for ${name}; it is to cost ${exact === true ? '' : 'at most '}${most}. Nothing was signed.`,
  )
}

/**
 * Counts the write, writes the authorization down, then signs it. Null: an earlier one of other bytes may still be used.
 * @throws Refused, StoreError, SigningError
 */
async function authorize(run: Run, challenge: Challenge): Promise<Run['payment']> {
  const { context, path, key, bodySha256, entry } = run
  const { account, deployment } = context
  const nonce = boundNonce(deployment, { method: 'POST', path, key, bodySha256 })
  const now = await context.now()
  const before = entry.payment
  let validBefore = now + VALID_SECONDS
  if (before !== null && before.validBefore >= now) {
    if (before.nonce !== nonce || before.validBefore < now + LEAST_VALID_SECONDS) return null
    validBefore = before.validBefore
  } else if (await mayBeUsed(context, before)) {
    return null
  }
  const value = challenge.amount
  const payment = { nonce, value: value.toString(), validBefore }
  await changeEntry(run, (kept, state) => {
    const { limits, unattendedLimit } = run
    const amount = run.decided + value
    const excess = countWrite(state, kept, { amount, limits, unattendedLimit, now: Date.now() })
    if (excess !== null) throw new Refused('limit_exceeded', `${excess} Nothing was signed.`)
    kept.payment = payment
    kept.state = 'sent'
    kept.unansweredUntil = validBefore
  })
  entry.payment = payment
  const authorization = { to: deployment.forwarder, value, validBefore, nonce }
  const header = await signPayment(account, deployment, { challenge, authorization })
  run.payment = { header, value, validBefore }
  return run.payment
}

async function sendPaid(run: Run, { header, validBefore }: NonNullable<Run['payment']>): Promise<Judgement> {
  run.hasSent = true
  const judgement = judge(await post(run, { 'PAYMENT-SIGNATURE': header }), true)
  noteLoss(run, judgement, validBefore)
  return judgement
}

async function markSent(run: Run, until: number): Promise<void> {
  await changeEntry(run, (kept) => {
    kept.state = 'sent'
    kept.unansweredUntil = Math.max(kept.unansweredUntil ?? 0, until)
  })
  run.hasSent = true
}

function noteLoss(run: Run, judgement: Judgement, until: number): void {
  if (judgement.kind === 'open' && !judgement.isAnswered) run.lostUntil = Math.max(run.lostUntil ?? 0, until)
}

function post({ context, path, key, bodyText }: Run, headers: Record<string, string>) {
  const { url, fetch, legalReceipt, timing } = context
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
    timing.requestMs,
  )
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
