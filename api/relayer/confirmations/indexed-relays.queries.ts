import type { Address, Hex } from 'viem'
import { keepingPlans, type Queryable } from '../../db/client.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { type IntentRow, toBoundIntent } from '../../intents/intents.mapper.ts'

/** A relayed call that the indexer stored. It confirms an intent independently of the receipt. */
export interface IndexedRelay {
  /** The intent id that the forwarder consumed. */
  intentId: Hex
  actor: Address
  selector: Hex
  paymentNonce: Hex
  transactionHash: Hex
  blockNumber: bigint
}

/**
 * Returns the indexed calls of these intents, keyed by the intent's database id. A call matches by the intent id that
 * the forwarder consumed. A bound payment also matches by payer and nonce.
 */
export async function findIndexedRelays(
  sql: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IndexedRelay>> {
  if (ids.length === 0) return new Map()
  const rows = await keepingPlans(sql)<(IndexedRelay & { id: string })[]>`
    select i.id, r.intent_id, r.actor, r.selector, r.payment_nonce, r.transaction_hash, r.block_number
    from intents i join relayed_intent r on r.intent_id = i.chain_intent_id
    where i.id = any(${ids as string[]}::uuid[]) and i.relay_mode is distinct from 'bound'
    union all
    select i.id, r.intent_id, r.actor, r.selector, r.payment_nonce, r.transaction_hash, r.block_number
    from intents i join relayed_intent r on r.actor = i.initiator and r.payment_nonce = i.payment_nonce
    where i.id = any(${ids as string[]}::uuid[]) and i.relay_mode = 'bound'`
  return new Map(rows.map(({ id, ...relay }) => [id, relay]))
}

/** Returns the indexed call on which a payment was spent, or null. */
export async function findRelayOfPayment(
  sql: Queryable,
  { payer, nonce }: { payer: Address; nonce: Hex },
): Promise<IndexedRelay | null> {
  const [row] = await sql<IndexedRelay[]>`
    select intent_id, actor, selector, payment_nonce, transaction_hash, block_number
    from relayed_intent where actor = ${payer} and payment_nonce = ${nonce}
    limit 1`
  return row ?? null
}

/** Returns the hash of the indexed transaction that refunded a payment, or null. */
export async function findIndexedRefund(
  sql: Queryable,
  { payer, nonce }: { payer: Address; nonce: Hex },
): Promise<Hex | null> {
  const [row] = await sql<{ transactionHash: Hex }[]>`
    select transaction_hash from prepaid_refund where payer = ${payer} and nonce = ${nonce}`
  return row?.transactionHash ?? null
}

/** Lists intents that failed within the last day although the indexer has stored a relayed call for them. */
export async function listFailedWithRelay(sql: Queryable, limit: number): Promise<BoundIntent[]> {
  const rows = await sql<IntentRow[]>`
    select i.* from intents i
    where i.status = 'failed' and i.watched and i.updated_at > now() - interval '1 day'
      and (exists (select from relayed_intent r where r.intent_id = i.chain_intent_id)
        or (i.relay_mode = 'bound' and exists (
          select from relayed_intent r where r.actor = i.initiator and r.payment_nonce = i.payment_nonce)))
    order by i.updated_at desc limit ${limit}`
  return rows.map(toBoundIntent)
}
