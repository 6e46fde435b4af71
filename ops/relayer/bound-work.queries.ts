import type { Address } from 'viem'
import type { Queryable } from '../../api/db/client.ts'

/** The unfinished work of a relayer, according to the tables of the service. */
export interface BoundWork {
  address: Address
  /** The nonce that the service will use for the relayer's next new transaction. */
  nextNonce: bigint
  /**
   * The number of writes and refunds that wait for a block: their newest transaction is signed by the relayer, and is
   * not in a block yet.
   */
  onTheWay: number
  /**
   * The number of writes and refunds whose newest transaction is in a block that is not safe yet. A reorg of the block
   * makes the service send the signed transactions again.
   */
  notFinal: number
  /** Seconds since the relayer's last signature; null if the relayer never signed. */
  silentSeconds: number | null
}

/** Reads the unfinished work of each relayer that ever signed. */
export async function listBoundWork(sql: Queryable): Promise<BoundWork[]> {
  return await sql<BoundWork[]>`
    with watched as (
      select i.id, i.status = 'broadcast' or i.refund_status = 'refunding' as is_on_the_way
      from service.intents i
      where i.status = 'broadcast' or i.refund_status = 'refunding'
        or (i.status in ('completed', 'failed') and i.watched) or (i.refund_status = 'refunded' and i.refund_watched)
    ), bound as (
      select newest.relayer, count(*) filter (where is_on_the_way)::int as on_the_way,
        count(*) filter (where not is_on_the_way)::int as not_final
      from watched cross join lateral (
        select a.relayer from service.attempts a where a.intent_id = watched.id order by a.id desc limit 1
      ) newest
      group by newest.relayer
    )
    select r.address, r.next_nonce, coalesce(on_the_way, 0) as on_the_way, coalesce(not_final, 0) as not_final,
      (select extract(epoch from now() - a.created_at)::float8 from service.attempts a
       where a.relayer = r.address order by a.nonce desc, a.id desc limit 1) as silent_seconds
    from service.relayers r left join bound on bound.relayer = r.address
    order by r.address`
}
