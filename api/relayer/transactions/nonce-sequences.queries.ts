import type { Address } from 'viem'
import type { Queryable, Transaction } from '../../db/client.ts'
import type { Attempt } from './attempts.queries.ts'

/**
 * The most places that one answer of the node moves a nonce sequence, so that a wrong answer opens only a gap that can
 * be filled.
 */
const LONGEST_CATCH_UP = 16

/** A nonce sequence: one relayer's next nonce. */
export interface NonceSequence {
  address: Address
  nextNonce: bigint
}

/**
 * Opens a nonce sequence at the chain's nonce; one that is behind the chain (its key was used elsewhere) catches up,
 * some places at a time. The table alone assigns nonces, never a node's count.
 */
export async function openNonceSequence(sql: Queryable, relayer: Address, minedNonce: bigint): Promise<void> {
  await sql`
    insert into relayers (address, next_nonce) values (${relayer}, ${minedNonce})
    on conflict (address) do update set
      next_nonce = least(greatest(relayers.next_nonce, excluded.next_nonce), relayers.next_nonce + ${LONGEST_CATCH_UP})`
}

/** Lists every nonce sequence, also of keys that this process lacks. */
export async function listNonceSequences(sql: Queryable): Promise<NonceSequence[]> {
  return await sql<NonceSequence[]>`select address, next_nonce from relayers order by address`
}

/** Claims the next nonce; the row stays locked until the transaction ends. */
export async function claimNonce(tx: Transaction, relayer: Address): Promise<bigint> {
  const [row] = await tx<{ nonce: bigint }[]>`
    update relayers set next_nonce = next_nonce + 1 where address = ${relayer} returning next_nonce - 1 as nonce`
  if (row === undefined) throw new Error(`relayer ${relayer} has no nonce sequence`)
  return row.nonce
}

/** Returns the next nonce of a sequence, which any process may claim meanwhile. @throws Error without a sequence */
export async function getNextNonce(sql: Queryable, relayer: Address): Promise<bigint> {
  const [row] = await sql<{ nextNonce: bigint }[]>`select next_nonce from relayers where address = ${relayer}`
  if (row === undefined) throw new Error(`relayer ${relayer} has no nonce sequence`)
  return row.nextNonce
}

/** Claims this nonce, if it is still the next one; the row stays locked until the transaction ends. */
export async function claimThisNonce(tx: Transaction, relayer: Address, nonce: bigint): Promise<boolean> {
  const rows = await tx`
    update relayers set next_nonce = next_nonce + 1 where address = ${relayer} and next_nonce = ${nonce} returning address`
  return rows.length === 1
}

/** Locks a nonce sequence without claiming a nonce. */
export async function lockNonceSequence(tx: Transaction, relayer: Address): Promise<void> {
  await tx`select address from relayers where address = ${relayer} for update`
}

/** The transaction that a nonce sequence waits for. */
export interface SequenceHead extends Attempt {
  /** True if its intent, or its refund, is in flight with it, and replaces it when it is stuck. */
  isLookedAfter: boolean
}

/** Returns the newest transaction signed for a nonce, or null. */
export async function findSequenceHead(
  sql: Queryable,
  { relayer, nonce }: { relayer: Address; nonce: bigint },
): Promise<SequenceHead | null> {
  const [row] = await sql<SequenceHead[]>`
    select a.*,
      extract(epoch from now() - a.created_at)::float8 as age_seconds,
      extract(epoch from now() - a.sent_at)::float8 as silent_seconds,
      coalesce(i.status = 'broadcast' or i.refund_status = 'refunding', false)
        and not exists (select from attempts b where b.intent_id = a.intent_id and b.id > a.id) as is_looked_after
    from attempts a left join intents i on i.id = a.intent_id
    where a.relayer = ${relayer} and a.nonce = ${nonce}
    order by a.id desc limit 1`
  return row ?? null
}

/** Returns the age of the oldest transaction behind a nonce, seconds; null when none waits there. */
export async function findWaitBehind(
  sql: Queryable,
  { relayer, nonce }: { relayer: Address; nonce: bigint },
): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from now() - min(created_at))::float8 as seconds
    from attempts where relayer = ${relayer} and nonce > ${nonce}`
  return row?.seconds ?? null
}
