import type { Address } from 'viem'
import type { Queryable, Transaction } from '../../db/client.ts'
import type { Attempt } from './attempts.queries.ts'

/**
 * The most nonces by which one answer of a node may advance a nonce sequence. If a node answers with a number that is
 * too high, the sequence skips at most this many nonces.
 */
const LONGEST_CATCH_UP = 16

/** The nonce sequence of one relayer. `nextNonce`: the next nonce to assign. */
export interface NonceSequence {
  address: Address
  nextNonce: bigint
}

/**
 * Creates a nonce sequence that starts at the chain's nonce. If the sequence exists and is behind the chain, advances
 * it by at most `LONGEST_CATCH_UP`. All further nonces are assigned only from the table `relayers`.
 */
export async function openNonceSequence(sql: Queryable, relayer: Address, minedNonce: bigint): Promise<void> {
  await sql`
    insert into relayers (address, next_nonce) values (${relayer}, ${minedNonce})
    on conflict (address) do update set
      next_nonce = least(greatest(relayers.next_nonce, excluded.next_nonce), relayers.next_nonce + ${LONGEST_CATCH_UP})`
}

/** Lists the nonce sequences of all relayers. The keys of some relayers may be in other processes. */
export async function listNonceSequences(sql: Queryable): Promise<NonceSequence[]> {
  return await sql<NonceSequence[]>`select address, next_nonce from relayers order by address`
}

/** Claims the next nonce of a relayer. The row remains locked until the transaction ends. */
export async function claimNonce(tx: Transaction, relayer: Address): Promise<bigint> {
  const [row] = await tx<{ nonce: bigint }[]>`
    update relayers set next_nonce = next_nonce + 1 where address = ${relayer} returning next_nonce - 1 as nonce`
  if (row === undefined) throw new Error(`relayer ${relayer} has no nonce sequence`)
  return row.nonce
}

/**
 * Returns the next nonce of a relayer. The nonce is not claimed, so another process may claim it.
 * @throws Error if the relayer has no nonce sequence
 */
export async function getNextNonce(sql: Queryable, relayer: Address): Promise<bigint> {
  const [row] = await sql<{ nextNonce: bigint }[]>`select next_nonce from relayers where address = ${relayer}`
  if (row === undefined) throw new Error(`relayer ${relayer} has no nonce sequence`)
  return row.nextNonce
}

/**
 * Claims the given nonce. The row stays locked until the transaction ends.
 * @returns false if the given nonce is not the next nonce
 */
export async function claimThisNonce(tx: Transaction, relayer: Address, nonce: bigint): Promise<boolean> {
  const rows = await tx`
    update relayers set next_nonce = next_nonce + 1 where address = ${relayer} and next_nonce = ${nonce} returning address`
  return rows.length === 1
}

/** Locks a nonce sequence without claiming a nonce. */
export async function lockNonceSequence(tx: Transaction, relayer: Address): Promise<void> {
  await tx`select address from relayers where address = ${relayer} for update`
}

/** The newest signed transaction for the first unmined nonce of a nonce sequence. */
export interface SequenceHead extends Attempt {
  /**
   * True if an intent or refund waits for the receipt of this transaction. The loops that check the intent or refund
   * then also replace the transaction if it is stuck.
   */
  isLookedAfter: boolean
}

/** Returns the newest transaction that was signed for a nonce. Null if no transaction was signed for the nonce. */
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

/**
 * Returns the age, in seconds, of the relayer's oldest transaction whose nonce is higher than `nonce`. Returns null if
 * the relayer has no transaction with a higher nonce.
 */
export async function findWaitBehind(
  sql: Queryable,
  { relayer, nonce }: { relayer: Address; nonce: bigint },
): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from now() - min(created_at))::float8 as seconds
    from attempts where relayer = ${relayer} and nonce > ${nonce}`
  return row?.seconds ?? null
}
