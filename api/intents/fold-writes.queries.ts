import type { Queryable } from '../db/client.ts'

/**
 * The age in days at which a completed, final write is folded (see `foldWrites`). The costs of the relayers are
 * computed from the writes of the latest seven days, so the age must be more than seven days.
 */
export const FOLD_AFTER_DAYS = 10
/**
 * The days between the migration `MIGRATION` and the first fold (see `foldWrites`). Until the first fold, an operator
 * can go back to the release before the migration. Afterwards, the release before the migration cannot read the tables.
 */
const WAY_BACK_DAYS = 30
/**
 * The constants for the start of folding (clearing the unneeded fields of old writes). `MIGRATION`: the migration that
 * introduced folding. `FOLDED_VERSION`: the data version of tables with folded writes. Before the first fold, this
 * version is stored as the lowest version that may run. Processes of an older release then exit.
 */
const [MIGRATION, FOLDED_VERSION] = ['0056.sql', 4]

/**
 * Returns true if writes may be folded (see `foldWrites`). If the migration that introduced folding was applied at
 * least `WAY_BACK_DAYS` days ago, the first call raises the data version of the tables. From then on, folding is
 * allowed.
 */
export async function openFolding(sql: Queryable): Promise<boolean> {
  // Processes of an older release cannot read folded writes. The new data version makes them exit.
  await sql`
    update service.migrations set oldest_version = ${FOLDED_VERSION}
    where name = ${MIGRATION} and oldest_version < ${FOLDED_VERSION}
      and applied_at <= now() - make_interval(days => ${WAY_BACK_DAYS})`
  const [row] = await sql<{ isOpen: boolean }[]>`
    select exists (
      select from service.migrations where name = ${MIGRATION} and oldest_version >= ${FOLDED_VERSION}
    ) as is_open`
  return row?.isOpen ?? false
}

/**
 * Folds the oldest completed, final writes: clears every field that no later request reads, and deletes their signed
 * transactions. The first and the last transaction of each relayer are kept. They show the period in which the relayer
 * signed.
 * @returns the number of folded writes
 */
export async function foldWrites(
  sql: Queryable,
  { limit, afterDays = FOLD_AFTER_DAYS }: { limit: number; afterDays?: number },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with due as (
      select id, coalesce(relay_mode in ('paid', 'prepaid', 'bound'), false) as is_paid
      from service.intents
      where status = 'completed' and not watched and calldata <> '0x' and refund_status is null
        and status_at < now() - make_interval(secs => ${afterDays * 86_400}::float8)
      order by status_at limit ${limit}
      for update skip locked
    ), folded as (
      update service.intents i set
        calldata = '0x', target = '0x', facts = null, result = null, escrow_amount = null, gas_limit = null,
        suffix = left(i.suffix, 1), request_id = null, block_hash = null, block_position = null, bound_at_block = null,
        actor_signature = case when i.actor_signature is not null then '0x' end,
        payment_digest = case when is_paid
          then service.digest_of_payment(i.payment_asset, i.initiator, i.payment_nonce) end,
        payment_signature = case when is_paid
          then service.mark_of_signature(i.payment_signature) else i.payment_signature end,
        payment_asset = case when not is_paid then i.payment_asset end,
        payment_nonce = case when not is_paid then i.payment_nonce end,
        payment_valid_after = case when not is_paid then i.payment_valid_after end,
        payment_valid_before = case when not is_paid then i.payment_valid_before end
      from due where i.id = due.id
      returning i.id
    ), deleted as (
      delete from service.attempts a using folded, service.relayers r
      where a.intent_id = folded.id and r.address = a.relayer and a.nonce < r.next_nonce - 1
        and a.nonce > (select min(nonce) from service.attempts where relayer = a.relayer)
        and exists (
          select from service.attempts mined join service.intents i on i.id = mined.intent_id
          where mined.relayer = a.relayer and mined.nonce >= a.nonce
            and i.tx_hash = mined.hash and i.status = 'completed' and not i.watched)
    )
    select count(*)::int as count from folded`
  return row?.count ?? 0
}
