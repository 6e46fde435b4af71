import type { Address, Hex } from 'viem'
import type { ForwardedKind, Relay, SubmittedKind } from '../../protocol/relay.ts'
import { keepingPlans, type Queryable, type Transaction } from '../db/client.ts'
import type { BoundIntent, Intent, RelayTerms } from './intent.ts'
import { type IntentRow, toBoundIntent, toIntent } from './intents.mapper.ts'
import type { Operation } from './operations.ts'
import { paymentOf, relayModeOfIntent } from './relayed-call.ts'

/**
 * An intent with the fingerprint of its request. Only requests with this fingerprint may use the intent's idempotency
 * key.
 */
export interface KeyedIntent extends Intent {
  /** The SHA-256 hash of the request's operation, path and body. */
  fingerprint: Buffer
}

/** Returns the intent of an idempotency key. Null if the key has no intent, or the key's reservation has expired. */
export async function findIntentByKey(sql: Queryable, idempotencyKey: string): Promise<KeyedIntent | null> {
  const [row] = await keepingPlans(sql)<IntentRow[]>`
    select * from intents
    where idempotency_key = ${idempotencyKey} and (expires_at is null or expires_at > now())`
  return row === undefined ? null : { ...toIntent(row), fingerprint: row.fingerprint }
}

/** Returns an intent by its id, in any status. */
export async function findIntentById(sql: Queryable, id: string): Promise<Intent | null> {
  const [row] = await sql<IntentRow[]>`select * from intents where id = ${id}`
  return row === undefined ? null : toIntent(row)
}

/** Returns a bound intent by its id. Returns null if the intent is missing or only reserved. */
export async function findBoundIntent(sql: Queryable, id: string): Promise<BoundIntent | null> {
  const [row] = await keepingPlans(sql)<IntentRow[]>`select * from intents where id = ${id} and status <> 'reserved'`
  return row === undefined ? null : toBoundIntent(row)
}

/**
 * Returns the bound intent once no other transaction locks the intent's row. Call it if the database did not answer the
 * COMMIT of the binding transaction: the function waits until that transaction has ended.
 */
export async function findIntentOnceSettled(sql: Queryable, id: string): Promise<BoundIntent | null> {
  // The code checks the status: with a status condition in SQL, the read would skip the locked row.
  const [row] = await sql<IntentRow[]>`select * from intents where id = ${id} for share`
  return row === undefined || row.status === 'reserved' ? null : toBoundIntent(row)
}

/**
 * Returns the intent that a payment funded, even if the unneeded fields of the intent were cleared. Returns null if the
 * payment funded no intent.
 */
export async function findIntentByPayment(
  sql: Queryable,
  { asset, payer, nonce }: { asset: Address; payer: Address; nonce: Hex },
): Promise<BoundIntent | null> {
  const [row] = await keepingPlans(sql)<IntentRow[]>`
    select * from intents
    where (payment_asset = ${asset} and initiator = ${payer} and payment_nonce = ${nonce})
      or payment_digest = service.digest_of_payment(${asset}, ${payer}, ${nonce})`
  return row === undefined ? null : toBoundIntent(row)
}

/** The lifetime in seconds of an unpaid reservation. It equals the longest validity of a payment, 900 seconds. */
const RESERVATION_SECONDS = 900

export interface Reservation {
  id: string
  idempotencyKey: string
  operation: Operation
  fingerprint: Buffer
  /** The id of the HTTP request that made the reservation. It is stored for support. */
  requestId?: string
}

/**
 * Reserves a key, or renews a reservation of the same request. An expired reservation is replaced.
 * @returns the id of the reserved intent; null if another request holds the key or the key is already bound
 */
export async function reserveIntent(sql: Queryable, reservation: Reservation): Promise<string | null> {
  const { id, idempotencyKey, operation, fingerprint, requestId = null } = reservation
  const [row] = await keepingPlans(sql)<{ id: string }[]>`
    insert into intents (id, idempotency_key, operation, fingerprint, request_id, status, expires_at)
    values (${id}, ${idempotencyKey}, ${operation}, ${fingerprint}, ${requestId}, 'reserved',
            now() + make_interval(secs => ${RESERVATION_SECONDS}))
    on conflict (idempotency_key) do update set
      id = case when intents.expires_at <= now() then excluded.id else intents.id end,
      created_at = case when intents.expires_at <= now() then now() else intents.created_at end,
      operation = excluded.operation,
      fingerprint = excluded.fingerprint,
      request_id = excluded.request_id,
      expires_at = excluded.expires_at
    where intents.status = 'reserved'
      and (intents.expires_at <= now()
           or (intents.operation = excluded.operation and intents.fingerprint = excluded.fingerprint))
    returning id`
  return row?.id ?? null
}

/**
 * Facts about a call that contains the signature of the owner of the assets. Any account may submit the call, but only
 * once.
 */
export interface SignedSubmission {
  /**
   * The id of the owner's signature: a nonce, or the hash of the signed message. An owner uses an id only once at a
   * contract. At most one intent has the id.
   */
  id: Hex
  /** The amount of the token that the call moves, in base units of the token. */
  value: bigint
  /** The end of the call's validity, in Unix seconds. From this time on, the called contract refuses the call. */
  validBefore: bigint
}

/**
 * The values that `bindReservation` stores for every kind of intent. The idempotency key is already stored with the
 * reservation.
 */
interface BindingFields {
  id: string
  chainIntentId: Hex
  initiator: Address | null
  target: Address
  calldata: Hex
  /** The token of the payment, or the contract of a signed call. Null if the intent has neither. */
  paymentAsset: Address | null
  facts: Record<string, string>
  boundAtBlock: bigint
  terms: RelayTerms
}

/** The values that `bindReservation` stores. Some values depend on the kind of the call. */
export type Binding = BindingFields &
  ({ kind: ForwardedKind; relay: Relay; escrowAmount: bigint } | { kind: SubmittedKind; submission: SignedSubmission })

/**
 * Returns the id, value and expiry of the intent's payment, or of the owner's signed call. Null if the intent has
 * neither.
 */
export function fundsOf(binding: Binding): { id: Hex; value: bigint; validBefore: bigint } | null {
  if ('submission' in binding) return binding.submission
  const payment = paymentOf(binding)
  return payment && { id: payment.nonce, value: payment.value, validBefore: payment.validBefore }
}

/**
 * Locks the row of a reservation.
 * @returns false when the reservation has expired or another request bound it
 */
export async function lockReservation(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx`select id from intents where id = ${id} and status = 'reserved' for update`
  return rows.length === 1
}

/**
 * Turns a reservation into a recorded intent. From then on, any process can relay the intent.
 * @param hash the hash of the intent's transaction if the same database transaction signed it; the status is then
 * `broadcast`. Null if the outbox signs later; the status is then `recorded`
 * @returns false when the reservation has expired or was bound by another request
 * @throws unique violation of `intents_payment` when the payment already funds another intent
 */
export async function bindReservation(tx: Queryable, binding: Binding, hash: Hex | null = null): Promise<boolean> {
  const { terms } = binding
  const [funds, payment] = [fundsOf(binding), paymentOf(binding)]
  const relay = 'relay' in binding && binding.relay.mode === 'signed' ? binding.relay : null
  const rows = await tx`
    update intents set
      status = ${hash === null ? 'recorded' : 'broadcast'},
      expires_at = null,
      tx_hash = ${hash},
      kind = ${binding.kind},
      relay_mode = ${relayModeOfIntent(binding)},
      chain_intent_id = ${binding.chainIntentId},
      initiator = ${binding.initiator},
      target = ${binding.target},
      calldata = ${binding.calldata},
      escrow_amount = ${'relay' in binding ? binding.escrowAmount.toString() : '0'}::numeric,
      actor_signature = ${relay?.signature ?? null},
      suffix = ${relay?.suffix ?? null},
      payment_asset = ${binding.paymentAsset},
      payment_nonce = ${funds?.id ?? null},
      payment_value = ${funds?.value.toString() ?? null}::numeric,
      payment_valid_after = ${payment?.validAfter.toString() ?? null}::numeric,
      payment_valid_before = ${funds?.validBefore.toString() ?? null}::numeric,
      payment_signature = ${payment?.signature ?? null},
      payment_salt = ${payment?.salt ?? null},
      facts = ${tx.json(binding.facts)},
      bound_at_block = ${binding.boundAtBlock},
      relay_class = ${terms.relayClass},
      gas_limit = ${terms.gasLimit},
      gas_account = ${terms.gas?.account.name ?? null},
      gas_reserved_wei = ${terms.gas?.wei.toString() ?? null}::numeric
    where id = ${binding.id} and status = 'reserved'
    returning id`
  return rows.length === 1
}

/**
 * Deletes at most `limit` expired reservations of idempotency keys. A reservation never contains a payment. Returns the
 * number of deletions.
 */
export async function deleteExpiredReservations(sql: Queryable, limit: number): Promise<number> {
  const rows = await sql`
    delete from intents where id in (
      select id from intents where status = 'reserved' and expires_at <= now()
      order by expires_at limit ${limit} for update skip locked
    )
    returning id`
  return rows.length
}
