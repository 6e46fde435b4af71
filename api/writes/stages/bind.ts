import { isDatabaseUnavailable, isUniqueViolation, type Transaction } from '../../db/client.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { insertContent } from '../../intents/content.queries.ts'
import type { ContentRows } from '../../intents/content.ts'
import type { DirectRelay, SignedDirectly } from '../../intents/direct-relay.ts'
import { reserveGas } from '../../intents/gas-accounts.queries.ts'
import {
  type Binding,
  bindReservation,
  findIntentByKey,
  findIntentByPayment,
  findIntentOnceSettled,
  fundsOf,
  lockReservation,
} from '../../intents/intents.queries.ts'
import { isDocumentViolation } from '../../intents/repeated-document.queries.ts'
import type { WriteDeps } from '../write-deps.ts'
import { paymentAlreadySpent } from './accept-payment.ts'
import { admit, refused } from './admit.ts'
import { documentRepeated } from './document-repeated.ts'
import { keyReused } from './look-up-key.ts'

/** The SQL state of a statement that fails because an earlier statement in the transaction failed. */
const ABORTED_TRANSACTION = '25P02'
/**
 * The value of `Retry-After` in seconds if today's gas for calls that run code of other accounts is used up. A call
 * releases the reserved gas that the call did not use, so a retry on the same day may succeed.
 */
const RETRY_AFTER_SECONDS = 600

export interface BindRequest {
  key: string
  binding: Binding
  content: ContentRows
  /**
   * Set if the call is signed in the transaction that binds the write: the direct relay, the gas that the simulation
   * used, and the time of the simulation. Null if the outbox signs the call later.
   */
  direct: { relay: DirectRelay; gas: bigint; simulatedAt: number } | null
  /** Checks the rules for the last time, inside the binding transaction. Returns the refusal, or null. */
  guard: (tx: Transaction) => Promise<Refusal | null>
  /** Checks and stores the payer's consent. An exception undoes the bind. */
  confirm: (tx: Transaction) => Promise<void>
}

/**
 * Binds the write in stage 9. One transaction stores the payment, the call and the content. The caller cannot withdraw
 * a bound write. Of all requests with the same key or payment, exactly one binds.
 * @throws ServiceError `idempotency_key_reused`, `payment_already_spent`, the guard's refusal
 * @throws ServiceError 409 `intent_in_flight` when it is unknown whether the transaction was committed
 */
export async function bind(deps: WriteDeps, request: BindRequest): Promise<void> {
  const { key } = request
  const boundWrite = await commit(deps, request)
  if (boundWrite !== null) {
    deps.reach('after-bind')
    if (boundWrite.signed === null) return
    deps.reach('after-sign')
    boundWrite.signed.send()
    return
  }
  const winner = await findIntentByKey(deps.sql, key)
  if (winner !== null && winner.status !== 'reserved') throw keyReused(winner)
  throw new ServiceError(
    503,
    'idempotency_check_unavailable',
    'The key’s reservation ended meanwhile; nothing was charged. Send the request again with the same key.',
    { detail: 'key_in_use' },
  )
}

/** A bound write with the signed transaction to send. If `signed` is null, the relayer's loops send the call. */
interface Bound {
  signed: SignedDirectly | null
}

/** The error that rolls the transaction back. The reservation has expired, or another request bound it. */
const lostReservation = new Error('the reservation is gone')

/**
 * Runs the database transaction that binds the write. @returns null when the reservation has expired or was bound by
 * another request
 */
async function commit(deps: WriteDeps, request: BindRequest): Promise<Bound | null> {
  const { binding } = request
  const directRelay = request.direct?.relay.begin(request.direct.simulatedAt) === true ? request.direct : null
  try {
    return await deps.sql.byKey.begin((tx) => bindIn(tx, deps, { ...request, direct: directRelay }))
  } catch (error) {
    if (error === lostReservation) return null
    if (isUniqueViolation(error, 'intents_payment')) throw await alreadySpent(deps, binding)
    if (isDocumentViolation(error)) throw refused(documentRepeated())
    if (!isDatabaseUnavailable(error)) throw error
    return (await wasCommitted(deps, binding, error)) ? { signed: null } : null
  } finally {
    directRelay?.relay.end()
  }
}

async function bindIn(tx: Transaction, { reach }: WriteDeps, request: BindRequest): Promise<Bound> {
  const { binding, content, direct, guard, confirm } = request
  admit(await guard(tx))
  await setGasAside(tx, binding)
  const attempt = direct && (await signReserved(tx, { id: binding.id, ...direct }))
  // Sent at once, and run in this order.
  const [isBound] = await allSettled([
    bindReservation(tx, binding, attempt?.hash),
    attempt?.store(),
    confirm(tx),
    insertContent(tx, binding.id, content),
  ])
  if (!isBound) throw lostReservation
  reach('before-bind-commit')
  return { signed: attempt }
}

/**
 * Signs the call. As in the outbox, the intent's row is locked first and the nonce sequence second. The fixed order
 * avoids deadlocks.
 */
async function signReserved(
  tx: Transaction,
  { id, relay, gas }: { id: string; relay: DirectRelay; gas: bigint },
): Promise<SignedDirectly> {
  const [isReserved, attempt] = await allSettled([lockReservation(tx, id), relay.sign(tx, gas)])
  if (!isReserved) throw lostReservation
  return attempt
}

/**
 * Waits until every statement of a transaction has ended, even if one of them fails. After a failed statement, Postgres
 * also fails the later statements of the transaction.
 * @throws the error of the statement that failed first, and not an error that only follows from it
 */
async function allSettled<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  const outcomes = await Promise.allSettled(work)
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (errors.length > 0) throw errors.find((error) => error?.code !== ABORTED_TRANSACTION) ?? errors[0]
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never
}

/**
 * Reserves the highest possible gas cost, in wei, of a call that runs code of other accounts. Throws if the gas account
 * cannot pay this cost.
 */
async function setGasAside(tx: Transaction, { terms: { gas }, target }: Binding): Promise<void> {
  if (gas === null || (await reserveGas(tx, gas.account, gas.wei))) return
  throw new ServiceError(
    503,
    'unclassified',
    'The service relays no more calls today that run code of other accounts (a contract wallet, or hooks of the task’s ' +
      `own); nothing was charged. Send it directly to ${target} (docs/build/limits.md, "Gas"), or try again tomorrow.`,
    { detail: 'gas_budget', headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
  )
}

async function alreadySpent(deps: WriteDeps, binding: Binding): Promise<ServiceError> {
  const { paymentAsset: asset, initiator: payer } = binding
  const nonce = fundsOf(binding)?.id
  const fundedIntent =
    asset === null || payer === null || nonce === undefined
      ? null
      : await findIntentByPayment(deps.sql, { asset, payer, nonce })
  if (fundedIntent !== null) return paymentAlreadySpent(fundedIntent)
  return new ServiceError(409, 'payment_already_spent', 'This payment funds another write already.', {
    detail: 'payment_used',
  })
}

/**
 * Returns true if the binding transaction was committed although the database did not answer its COMMIT. Waits first
 * until the lost database session has released the intent's row.
 */
async function wasCommitted(deps: WriteDeps, binding: Binding, cause: unknown): Promise<boolean> {
  try {
    const intent = await findIntentOnceSettled(deps.sql, binding.id)
    return intent !== null && intent.calldata === binding.calldata && intent.initiator === binding.initiator
  } catch {
    throw new ServiceError(
      409,
      'intent_in_flight',
      'The service lost its database while recording this write; look it up at /intents before anything else.',
      { detail: 'write_undecided', intent: { intentId: binding.id }, cause },
    )
  }
}
