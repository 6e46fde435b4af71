import { isDatabaseUnavailable, isUniqueViolation, type Transaction } from '../../db/client.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { insertContent } from '../../intents/content.queries.ts'
import type { ContentRows } from '../../intents/content.ts'
import { reserveGas } from '../../intents/gas-accounts.queries.ts'
import {
  type Binding,
  bindReservation,
  findIntentByKey,
  findIntentByPayment,
  findIntentOnceSettled,
  fundsOf,
} from '../../intents/intents.queries.ts'
import { isDocumentViolation } from '../../intents/repeated-document.queries.ts'
import type { WriteDeps } from '../write-deps.ts'
import { paymentAlreadySpent } from './accept-payment.ts'
import { admit, refused } from './admit.ts'
import { documentRepeated } from './document-repeated.ts'
import { keyReused } from './look-up-key.ts'

/** Foreign calls that fail give their share back before the day ends. */
const RETRY_AFTER_SECONDS = 600

export interface BindRequest {
  key: string
  binding: Binding
  content: ContentRows
  /** The write's last word, with the rows it counts locked. */
  guard: (tx: Transaction) => Promise<Refusal | null>
  /** What is kept about the payer; what it throws undoes the bind. */
  confirm: (tx: Transaction) => Promise<void>
}

/**
 * Stage 9, the caller's point of no return: one transaction stores the payment, the call and its content, and moves
 * the reservation to `recorded`. Of all requests that come this far with a key, exactly one binds; of all with a
 * payment, too.
 * @throws ServiceError `idempotency_key_reused`, `payment_already_spent`, the guard's refusal; 409 `intent_in_flight`
 * when it is unknown whether the transaction was committed
 */
export async function bind(deps: WriteDeps, request: BindRequest): Promise<void> {
  const { key } = request
  if (await commit(deps, request)) {
    deps.reach('after-bind')
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

async function commit(deps: WriteDeps, { binding, content, guard, confirm }: BindRequest): Promise<boolean> {
  try {
    return await deps.sql.begin(async (tx) => {
      admit(await guard(tx))
      await setGasAside(tx, binding)
      if (!(await bindReservation(tx, binding))) return false
      await confirm(tx)
      await insertContent(tx, binding.id, content)
      deps.reach('before-bind-commit')
      return true
    })
  } catch (error) {
    if (isUniqueViolation(error, 'intents_payment')) throw await alreadySpent(deps, binding)
    if (isDocumentViolation(error)) throw refused(documentRepeated())
    if (!isDatabaseUnavailable(error)) throw error
    return await wasCommitted(deps, binding, error)
  }
}

/** Wei that a call which runs code of other accounts may cost. Refused here, nothing of it has happened. */
async function setGasAside(tx: Transaction, { terms: { gas }, target }: Binding): Promise<void> {
  if (gas === null || (await reserveGas(tx, gas.account, gas.wei))) return
  throw new ServiceError(
    503,
    'unclassified',
    'The service relays no more calls today that run code of other accounts (a contract wallet, or hooks of the task’s ' +
      `own); nothing was charged. Send it directly to ${target} (docs/limits.md, "Gas"), or try again tomorrow.`,
    { detail: 'gas_budget', headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
  )
}

async function alreadySpent(deps: WriteDeps, binding: Binding): Promise<ServiceError> {
  const { paymentAsset: asset, initiator: payer } = binding
  const nonce = fundsOf(binding)?.id
  const funded =
    asset === null || payer === null || nonce === undefined
      ? null
      : await findIntentByPayment(deps.sql, { asset, payer, nonce })
  if (funded !== null) return paymentAlreadySpent(funded)
  return new ServiceError(409, 'payment_already_spent', 'This payment funds another write already.', {
    detail: 'payment_used',
  })
}

/** The answer of COMMIT was lost. The row says what happened, once the lost session has released it. */
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
