import type { Address, Hex } from 'viem'
import { keepingPlans, type Queryable, type Transaction } from '../db/client.ts'
import { hasPaid } from './has-paid.ts'
import type { GasAccount } from './intent.ts'

/**
 * Reserves wei from a gas account. Concurrent calls of all processes cannot exceed the account's quota.
 * @returns false when the gas account has too little left
 */
export async function reserveGas(
  tx: Transaction,
  { name, quotaWei, lifetimeSeconds }: GasAccount,
  wei: bigint,
): Promise<boolean> {
  const rows = await tx`
    insert into service.gas_accounts as a (name, used_wei, ends_at)
    select ${name}, ${wei.toString()}::numeric, now() + make_interval(secs => ${lifetimeSeconds})
    where ${wei.toString()}::numeric <= ${quotaWei.toString()}::numeric
    on conflict (name) do update set used_wei = a.used_wei + excluded.used_wei
    where a.used_wei + excluded.used_wei <= ${quotaWei.toString()}::numeric
    returning name`
  return rows.length === 1
}

/**
 * Replaces an intent's gas reservation by the actual gas cost of the intent's transaction. A second call has no effect.
 * @param spentWei the actual cost in wei; null if it is unknown, then the whole reservation counts as spent
 */
export async function settleGas(sql: Queryable, intentId: string, spentWei: bigint | null): Promise<void> {
  await sql`
    with reserved as (
      select id, gas_account, gas_reserved_wei from service.intents
      where id = ${intentId} and gas_account is not null for update
    ), released as (
      update service.intents i set gas_account = null, gas_reserved_wei = null from reserved where i.id = reserved.id
    )
    update service.gas_accounts a
    set used_wei = greatest(0, a.used_wei - reserved.gas_reserved_wei + coalesce(${spentWei?.toString() ?? null}::numeric, reserved.gas_reserved_wei))
    from reserved where a.name = reserved.gas_account`
}

/** A reservation of gas cost for an intent. `account`: the name of the gas account. `wei`: the reserved wei. */
export interface GasReservation {
  account: string
  wei: bigint
}

/** Locks the intent's row and returns the gas reservation of the intent. Null if the intent has no gas reservation. */
export async function findReservedGas(tx: Transaction, intentId: string): Promise<GasReservation | null> {
  const [row] = await tx<GasReservation[]>`
    select gas_account as account, gas_reserved_wei as wei from service.intents
    where id = ${intentId} and gas_account is not null for update`
  return row ?? null
}

/** Stores an intent's gas reservation. The caller has already reserved the wei with `reserveGas`. */
export async function setReservedGas(
  tx: Transaction,
  intentId: string,
  { account, wei }: GasReservation,
): Promise<void> {
  await tx`
    update service.intents set gas_account = ${account}, gas_reserved_wei = ${wei.toString()}::numeric
    where id = ${intentId}`
}

/** Gives reserved wei back to the gas account from which the wei was reserved. */
export async function releaseGas(tx: Transaction, { account, wei }: GasReservation): Promise<void> {
  await tx`
    update service.gas_accounts set used_wei = greatest(0, used_wei - ${wei.toString()}::numeric)
    where name = ${account}`
}

/**
 * Charges the cost of a mined transaction to the gas reservation of an intent that still needs another transaction. The
 * reservation shrinks by the cost. If the cost is higher than the reservation, the difference is added to the used wei
 * of the gas account.
 */
export async function chargeGas(sql: Queryable, intentId: string, wei: bigint): Promise<void> {
  if (wei === 0n) return
  await sql`
    with reserved as (
      select id, gas_account, gas_reserved_wei from service.intents
      where id = ${intentId} and gas_account is not null for update
    ), charged as (
      update service.intents i set gas_reserved_wei = greatest(0, reserved.gas_reserved_wei - ${wei.toString()}::numeric)
      from reserved where i.id = reserved.id
    )
    update service.gas_accounts a
    set used_wei = a.used_wei + greatest(0, ${wei.toString()}::numeric - reserved.gas_reserved_wei)
    from reserved where a.name = reserved.gas_account`
}

/** Returns the wei that a gas account has used or reserved; 0 if the gas account has no row. */
export async function usedGasOf(sql: Queryable, name: string): Promise<bigint> {
  const [row] = await sql<{ usedWei: bigint }[]>`select used_wei from service.gas_accounts where name = ${name}`
  return row?.usedWei ?? 0n
}

/** Deletes the daily gas accounts whose time has ended. Returns the number of deleted rows. */
export async function deleteEndedGasAccounts(sql: Queryable): Promise<number> {
  return (await sql`delete from service.gas_accounts where ends_at <= now()`).count
}

/** The largest number of awards in each of the two lists of `feesPaidFor`. */
const COUNTED_AWARDS = 1_000

/**
 * Returns the sum of the platform fees, in base units of USDC, that were paid for two lists of awards. First list: the
 * awards in the newest tasks that the account created. Second list: the newest awards that the account received as a
 * worker in tasks of other accounts. Each list has at most 1,000 awards.
 */
export async function feesPaidFor(sql: Queryable, account: Address): Promise<bigint> {
  const [row] = await sql<{ fees: bigint }[]>`
    select coalesce(sum(platform_fee), 0)::numeric as fees from (
      (select award.platform_fee from task join award on award.task_id = task.id
       where task.requester = ${account} order by task.created_at_ms desc limit ${COUNTED_AWARDS})
      union all
      (select platform_fee from award where worker = ${account} and not self_award order by task_created_at_ms desc limit ${COUNTED_AWARDS})
    ) as newest`
  return row?.fees ?? 0n
}

/** The counts of a task's hooks. They determine the gas of the calls that concern the task. */
export interface TaskHooks {
  requester: Address
  /** The number of the task's hooks that are default hooks of the market. */
  defaultCount: number
  /**
   * The number of the task's hooks that the requester chose. The deployment's hook of sponsored tasks is not counted.
   */
  ownCount: number
  /** True if the requester chose the deployment's hook of sponsored tasks. */
  isSponsored: boolean
}

/**
 * Returns the requester of a task and the number of hooks of each kind. Returns null if the task is not indexed or has
 * no hooks.
 */
export async function findTaskHooks(
  sql: Queryable,
  { taskId, sponsoredTasksHook }: { taskId: Hex; sponsoredTasksHook: Address | undefined },
): Promise<TaskHooks | null> {
  const hook = sponsoredTasksHook ?? ''
  const [row] = await keepingPlans(sql)<TaskHooks[]>`
    select task.requester, hook_set.default_count,
      (select count(*)::int from unnest(chosen) as own where own <> ${hook}) as own_count,
      ${hook} = any(chosen) as is_sponsored
    from task join hook_set on hook_set.id = task.hook_set
      cross join lateral (select hook_set.hooks[hook_set.default_count + 1:] as chosen) as requested
    where task.id = ${taskId}`
  return row ?? null
}

/** Returns how many default hooks the market gives to a new task. */
export async function countDefaultHooks(sql: Queryable): Promise<number> {
  const [row] = await keepingPlans(sql)<
    { count: number }[]
  >`select cardinality(default_hooks) as count from market_config`
  return row?.count ?? 0
}

/**
 * Returns true if a wallet has paid for a write of this service or received an award. Free calls of such a wallet use a
 * separate gas budget.
 */
export async function hasPaidOrEarned(
  sql: Queryable,
  { wallet, usdc }: { wallet: Address; usdc: Address },
): Promise<boolean> {
  const [row] = await sql<{ isKnown: boolean }[]>`
    select ${hasPaid(sql, { wallet, usdc })} or exists (select from award where worker = ${wallet} and not self_award) as is_known`
  return row?.isKnown ?? false
}
