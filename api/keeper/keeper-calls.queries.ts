import type { Address, Hex } from 'viem'
import type { Database, Queryable, Transaction } from '../db/client.ts'

/** The name of the advisory lock for the selection of calls. Only one process at a time holds it. */
const KEEPER_LOCK = 'keeper'
/** The largest number of calls in one cycle for vaults that are approved. Further calls wait for the next cycle. */
const MOST_APPROVED_CALLS = 50
/** The number of days after which calls are deleted. Older calls do not affect any decision. */
const KEPT_DAYS = 30

/**
 * The step that a call performs. `reconcile`: reports the end of a task to its vault. `settle`: opens the claims of a
 * task whose awards are credited in its vault.
 */
export type KeeperStep = 'reconcile' | 'settle'

/** A call that this process has claimed and must make. */
export interface KeeperCall {
  id: bigint
  vaultId: Hex
  taskId: Hex
  step: KeeperStep
}

/**
 * Claims the calls of one cycle. Each call performs a step (`settle` or `reconcile`) of a charge: the reward of one
 * task in a vault. The task has ended. Calls for approved vaults come first. Calls for all other vaults together are
 * limited to `dailyLimit` in 24 hours. If a step was already tried, the step is claimed again only after a pause. The
 * pause grows with the number of tries, from a minute to 17 hours.
 * @returns an empty list while another process selects calls
 */
export async function claimCalls(sql: Database, { dailyLimit }: { dailyLimit: number }): Promise<KeeperCall[]> {
  return await sql.begin(async (tx) => {
    if (!(await lockCycle(tx))) return []
    await tx`delete from service.keeper_calls where claimed_at < now() - ${KEPT_DAYS} * interval '1 day'`
    return await insertCalls(tx, dailyLimit)
  })
}

async function lockCycle(tx: Transaction): Promise<boolean> {
  const [row] = await tx<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${KEEPER_LOCK}, 0)) as is_locked`
  return row?.isLocked ?? false
}

async function insertCalls(tx: Transaction, dailyLimit: number): Promise<KeeperCall[]> {
  return await tx<KeeperCall[]>`
    with recent as (
      select call.vault_id, call.task_id, call.step, call.is_approved, call.claimed_at, intent.status,
        -- A call without an intent costs nothing once its time to be recorded is over.
        call.intent_id is not null or call.claimed_at > now() - interval '1 minute' as counts
      from service.keeper_calls call left join service.intents intent on intent.id = call.intent_id
      where call.claimed_at > now() - interval '1 day'
    ),
    tried as (
      select task_id, step, count(*)::int as times, max(claimed_at) as last_at,
        coalesce(bool_or(status not in ('completed', 'failed')), false) as is_on_its_way
      from recent group by task_id, step
    ),
    used as (select vault_id, count(*)::int as calls from recent where counts and not is_approved group by vault_id),
    waiting as (
      select charge.vault_id, charge.task_id, charge.ended_at,
        case charge.state when 'reserved' then 'reconcile' else 'settle' end as step,
        coalesce(curation.status = 'approved', false) as is_approved
      from vault_charge charge
        join sponsored_vault vault using (vault_id)
        join task on task.id = charge.task_id
        left join service.vault_curation curation on curation.vault_id = charge.vault_id
      where charge.is_own_hook and charge.state in ('reserved', 'credited') and charge.epoch = vault.epoch
        and task.status in ('completed', 'cancelled', 'expired')
    ),
    due as (
      select waiting.*, row_number() over (partition by waiting.vault_id order by ended_at, waiting.task_id)
        + coalesce(used.calls, 0) as position_in_vault
      from waiting
        left join tried using (task_id, step)
        left join used on used.vault_id = waiting.vault_id
      where tried.times is null
        or (not is_on_its_way and now() > last_at + interval '1 minute' * power(4, least(times - 1, 5)))
    ),
    ranked as (
      select due.*, row_number() over (partition by is_approved order by position_in_vault, ended_at, task_id) as position from due
    )
    insert into service.keeper_calls (vault_id, task_id, step, is_approved)
    select vault_id, task_id, step, is_approved from ranked
    where position <= case when is_approved then ${MOST_APPROVED_CALLS}::int
      else ${dailyLimit}::int - (select coalesce(sum(calls), 0) from used) end
    order by is_approved desc, position
    returning id, vault_id, task_id, step`
}

/**
 * Stores the intent that makes a claimed call. A claim is valid for 30 seconds. If a claimed call has no intent by
 * then, the claim lapses, and the call is not made.
 * @returns false if the claim has lapsed; another call for the charge may then be claimed
 */
export async function recordCall(
  tx: Transaction,
  { id, intentId }: { id: bigint; intentId: string },
): Promise<boolean> {
  const rows = await tx`
    update service.keeper_calls set intent_id = ${intentId}
    where id = ${id} and intent_id is null and claimed_at > now() - interval '30 seconds'
    returning id`
  return rows.length === 1
}

/** Lists the awards of a task in the order of their events. The market contract hashes the awards in this order. */
export async function listAwards(sql: Queryable, taskId: Hex): Promise<{ workers: Address[]; amounts: bigint[] }> {
  const rows = await sql<{ worker: Address; grossAmount: bigint }[]>`
    select worker, gross_amount from award where task_id = ${taskId} order by block_number, log_index`
  return { workers: rows.map(({ worker }) => worker), amounts: rows.map(({ grossAmount }) => grossAmount) }
}
