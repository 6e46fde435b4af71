import type { Context } from 'hono'
import type { Address } from 'viem'
import { type EntryMode, isBound } from '../../protocol/relay.ts'
import type { Clocks } from '../../protocol/windows.ts'
import type { ChainHead } from '../chain/chain.ts'
import { noSuchTask } from '../domain/actions/action-rule.ts'
import { missingRows } from '../errors/missing-rows.ts'
import { digestBody } from '../http/bodies/body-digest.ts'
import { largeBodiesOf } from '../http/bodies/large-bodies.ts'
import { answerJsonText } from '../http/json-answer.ts'
import { answerWithin } from '../http/response-timeout.ts'
import { callerOf } from '../identity/caller.ts'
import type { KeyedIntent } from '../intents/intents.queries.ts'
import type { PaymentAuthorization } from '../payments/authorization.ts'
import { paymentRequirement } from '../payments/challenge.ts'
import { findPresentedPayer } from '../payments/decode.ts'
import type { PaymentProblem } from '../payments/verify.ts'
import { checkLegalReceipt } from './legal-acceptance.ts'
import { type AnyWrite, type CheckedSignature, relayModeOf, type WriteInput } from './relayed-write.ts'
import { acceptPayment } from './stages/accept-payment.ts'
import { admit, refused } from './stages/admit.ts'
import { answerOutcome } from './stages/answer.ts'
import { beginReads, type PreflightReads } from './stages/begin-reads.ts'
import { bindCall } from './stages/bind-call.ts'
import { challengeOf } from './stages/challenge-of.ts'
import { type Consent, checkConsent } from './stages/check-consent.ts'
import { checkPublicSignature } from './stages/check-public-signature.ts'
import { checkSignature } from './stages/check-signature.ts'
import { chooseMissing, completeRequest } from './stages/complete-request.ts'
import { explainFailure, explainTrouble } from './stages/explain-failure.ts'
import { fingerprintOf } from './stages/fingerprint.ts'
import { keyHeld, lookUpKey, refuseDuplicate } from './stages/look-up-key.ts'
import { parseRequest } from './stages/parse-request.ts'
import { answerChallenge, answerRejection, PaymentRejected } from './stages/payment-rejected.ts'
import { proveSigner } from './stages/prove-signer.ts'
import { readKey } from './stages/read-key.ts'
import { refuseLoser } from './stages/refuse-loser.ts'
import { requireFundedRelayer } from './stages/require-funded-relayer.ts'
import { requireLiveChain } from './stages/require-live-chain.ts'
import { listMissing, requireWholeRequest } from './stages/require-whole-request.ts'
import { reserveKey } from './stages/reserve-key.ts'
import { turnOf } from './stages/turn-of.ts'
import type { TaskTurn } from './task-turns.ts'
import type { WriteDeps } from './write-deps.ts'
import type { KeyHolder } from './write-services.ts'

/** A write request while it passes through the stages of the pipeline. */
interface WriteRequest {
  c: Context
  deps: WriteDeps
  write: AnyWrite
  key: string
  input: WriteInput
  /**
   * The fields that are missing in the request and that the service adds. The payer of a bound payment signs the
   * complete call, so a request with a bound payment must not lack these fields.
   */
  missing: readonly string[]
  fingerprint: Buffer
  /** The signal that aborts when the time for answering the request is over. */
  deadline: AbortSignal
  turn: TaskTurn
}

/** Parses the input of a write from a request, by default from the path parameters and the body. */
export type ParseInput = (c: Context, write: AnyWrite) => Promise<WriteInput>

/** The facts about a request that the preflight admitted. */
interface Admitted {
  subject: unknown
  /**
   * The relay mode. Null if the call contains the signature of the owner of the assets and is submitted without the
   * forwarder.
   */
  mode: EntryMode | null
  head: ChainHead
  /** The two times (latest block and host) against which signed time windows are checked. */
  clocks: Clocks
  /** The checked signature of the body; null if the body has none. */
  signed: CheckedSignature | null
}

/**
 * The state that the preflight leaves for the explanation of a failure. `head`: the latest block of the chain; null
 * until the preflight has read the block.
 */
interface AskedState {
  head: ChainHead | null
}

/** The actor of a write, and the actor's payment. */
interface Actor {
  /** The address of the actor; null if an anonymous caller makes an open call. */
  address: Address | null
  payment: PaymentAuthorization | null
  /** True if a relayer has already sent the call that the payment pays for. */
  isRelayed: boolean
  /** The payer's consent to this request, taken from the payment. Null without a payment. */
  consent: Consent | null
}

/**
 * Handles every relayed write from start to end (docs/internals/architecture.md, "The life of a write"). Stages before
 * `bind` move no money. The stage `bind` and the stages after it cannot be undone and never answer 402.
 */
export function handleWrite(
  deps: WriteDeps,
  write: AnyWrite,
  parse: ParseInput = parseRequest,
): (c: Context) => Promise<Response> {
  return async (c) => {
    const key = readKey(c, deps.config.SERVICE_NAME)
    if (c.req.header('payment-signature') !== undefined) digestBody(c)
    const parsedRequest = await parseCounted(c, deps, { write, parse, key })
    const choices = await chooseMissing(deps, write, parsedRequest)
    const completedRequest = completeRequest(write, parsedRequest, choices)
    const input = { ...completedRequest.input, arriving: largeBodiesOf(c).arriving }
    const deadline = AbortSignal.timeout(deps.config.WRITE_ANSWER_MS)
    const request = {
      c,
      deps,
      write,
      key,
      input,
      missing: [...Object.keys(choices), ...listMissing(write.boundFields, completedRequest.asSent.body)],
      fingerprint: fingerprintOf(write, completedRequest.asSent, deps.config.URL_SIGNING_SECRET),
      deadline,
      turn: turnOf(deps, { write, input, isPaid: c.req.header('payment-signature') !== undefined }),
    }
    const { holder, release } = deps.writes.keysInProgress.hold(key, { ...write, fingerprint: request.fingerprint })
    try {
      const answer = runStages(request, { holder, isOwn: release !== null })
      return await answerWithin(c, deps.config.WRITE_ANSWER_MS + deps.config.WRITE_GRACE_MS, answer)
    } catch (error) {
      if (error instanceof PaymentRejected) return answerRejection(c, error, deps.config.PUBLIC_BASE_URL)
      throw error
    } finally {
      release?.()
      request.turn.end(false)
    }
  }
}

/**
 * Parses a request. The bytes of a large body are counted in the database while they arrive. If the database fails, the
 * function throws the error 503 that asks the caller to repeat the request.
 */
async function parseCounted(
  c: Context,
  { deployment }: Pick<WriteDeps, 'deployment'>,
  { write, parse, key }: { write: AnyWrite; parse: ParseInput; key: string },
) {
  try {
    return await parse(c, write)
  } catch (error) {
    throw explainTrouble(error, key, deployment.chainId) ?? error
  }
}

/**
 * Runs the stages.
 * @param held the request that holds the idempotency key in this process. `isOwn`: true if `request` itself holds the
 * key, false if a concurrent request holds the key
 */
async function runStages(request: WriteRequest, held: { holder: KeyHolder; isOwn: boolean }): Promise<Response> {
  const { c, deps, write, key, input, deadline, turn } = request
  let intentId: string
  const state: AskedState = { head: null }
  try {
    const { holder } = held
    if (held.isOwn) await turn.take()
    else refuseDuplicate(holder, request)
    const payer = findPresentedPayer(c.req.header('payment-signature'))
    const reads = beginReads(deps, { write, input, payer })
    const reservation = await lookUpKey(deps.sql, request)
    if (!held.isOwn) throw keyHeld(key, write, reservation?.id ?? null)
    holder.intentId = reservation?.id ?? null
    const admission = await deps.observe.stage('preflight', () => preflight(request, reads, state))
    const pendingReservation = reserveKey(deps, request)
    // A key that is reserved for this request keeps its intent, whose lifetime restarts while the payment is verified.
    intentId = reservation?.id ?? (await pendingReservation)
    holder.intentId = intentId
    const [actor] = await Promise.all([findActor(request, admission, intentId), pendingReservation])
    if (actor instanceof Response) return actor
    const earlierAnswer = actor.address && (await write.findDone?.(deps, actor.address))
    if (earlierAnswer) return answerJsonText(c, earlierAnswer, 200, { 'Cache-Control': 'no-store' })
    const rateLimits = c.get('rateLimits')
    const checkedInput = withSignature(input, admission.signed)
    const { isTypical } = await bindCall(deps, {
      ...request,
      ...admission,
      ...actor,
      input: checkedInput,
      intentId,
      rateLimits,
      onBind: () => {
        holder.isBinding = true
      },
    })
    turn.end(true)
    c.set('returnsWriteUnit', isTypical && (write.returnsUnit?.(input) ?? true))
  } catch (error) {
    throw await explainFailure(deps, error, { key, payment: c.req.header('payment-signature'), head: state.head })
  }
  return await answerOutcome(c, deps, { write, input, intent: { ...factsOfReservation(request), intentId }, deadline })
}

/** Returns the input with the checked signature in place of the signature that the body contained. */
function withSignature(input: WriteInput, checkedSignature: CheckedSignature | null) {
  const { body } = input
  if (checkedSignature === null || typeof body !== 'object' || body === null || !('signature' in body)) return input
  return { ...input, body: { ...body, signature: checkedSignature.signature } }
}

/** Checks the input, the public state, the signature in the body and the signer's role. Nothing is reserved yet. */
async function preflight(
  { c, deps, write, key, input }: WriteRequest,
  reads: PreflightReads,
  state: AskedState,
): Promise<Admitted> {
  const rows = deps.indexedHead.current()
  if (rows !== null && !rows.ready) throw missingRows(rows, { idempotencyKey: key })
  await checkReceipt(c, deps, write, null)
  const subject = await reads.subject
  if (reads.clocks === null && subject !== null) refuseLoser(deps, { write, input, subject })
  const { head, clocks } = await (reads.clocks ?? deps.chain.latestClocks())
  state.head = head
  requireLiveChain(deps.deployment, clocks)
  if (subject === null) throw refused(noSuchTask())
  const refuseFor = (actor: Address | null) => write.preflight(subject, input, { actor, now: head.timestamp, clocks })
  const mode = relayModeOf(write, subject, input)
  // The message of a submitted call contains values that the rules require, such as a registered address.
  if (mode === null) admit(refuseFor(null))
  const bodySignature = write.signed?.(input, subject, deps) ?? null
  let checkedSignature: CheckedSignature | null = null
  if (mode !== 'paid' && bodySignature !== null) {
    const then = async (checked: CheckedSignature) => {
      await checkReceipt(c, deps, write, checked.actor)
      await checkPublicSignature(c, deps, { write, signed: bodySignature, checked })
    }
    checkedSignature = await proveSigner(deps, { signed: bodySignature, refuseFor, then })
  } else {
    admit(refuseFor(null))
    checkedSignature = bodySignature && (await checkSignature(deps, bodySignature))
  }
  await requireFundedRelayer(deps, key)
  if (mode !== 'paid') await c.get('rateLimits').consume('freeRelays')
  return { subject, mode, head, clocks, signed: checkedSignature }
}

/** Returns the actor of a call, or the payment challenge if a paid call has no payment. */
async function findActor(request: WriteRequest, admission: Admitted, intentId: string): Promise<Actor | Response> {
  const { c, deps } = request
  switch (admission.mode) {
    case 'signed':
    case null:
      if (admission.signed === null) throw new Error(`${request.write.operation} was admitted without a signature`)
      return { address: admission.signed.actor, payment: null, isRelayed: false, consent: null }
    case 'open':
      return { address: await callerOf(c, deps), payment: null, isRelayed: false, consent: null }
    case 'paid':
      return await findPayer(request, admission, intentId)
  }
}

async function findPayer(request: WriteRequest, admission: Admitted, intentId: string): Promise<Actor | Response> {
  const { c, deps, write, key, input } = request
  const { subject, head, clocks } = admission
  const intent = { ...factsOfReservation(request), intentId }
  const { amount } = write.charge(subject, input)
  const requirement = paymentRequirement(deps.deployment, amount)
  const challenge = (error: string) => challengeOf(deps, write, { amount, path: c.req.path, error })

  const header = c.req.header('payment-signature')
  if (header === undefined) return answerChallenge(c, challenge('This write is paid: sign and send the payment.'))
  const reject = (problem: PaymentProblem) =>
    new PaymentRejected(problem, { challenge: challenge(problem.message), intent })
  const { operation } = write
  const paymentRequest = { header, requirement, head, clocks, intent, operation, reject }
  const { payment, isRelayed } = await deps.observe.stage('verify', () => acceptPayment(deps, paymentRequest))
  if (isBound(payment)) requireWholeRequest(request.missing, intent)
  deps.reach('after-verify')
  const consent = await checkConsent(deps, { c, key, payment, intent })

  await checkReceipt(c, deps, write, payment.from)
  admit(write.preflight(subject, input, { actor: payment.from, now: head.timestamp, clocks }), intent)
  return { address: payment.from, payment, isRelayed, consent }
}

function checkReceipt(c: Context, deps: WriteDeps, write: AnyWrite, wallet: Address | null): Promise<void> {
  return checkLegalReceipt(c, deps, { exempt: write.legalExempt, wallet })
}

function factsOfReservation({ key, write }: WriteRequest): Pick<KeyedIntent, 'idempotencyKey' | 'operation'> & {
  intentStatus: 'reserved'
} {
  return { idempotencyKey: key, operation: write.operation, intentStatus: 'reserved' }
}
