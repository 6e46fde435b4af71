import type { Address } from 'viem'
import { keepingPlans, type Queryable, type Transaction } from '../db/client.ts'

/** Returns true if payments of this wallet must name their request; a wallet without a row has no such requirement. */
export async function isConsentRequired(sql: Queryable, wallet: Address): Promise<boolean> {
  const [row] = await keepingPlans(sql)<{ isRequired: boolean }[]>`
    select is_required from service.wallet_consents where wallet = ${wallet}`
  return row?.isRequired ?? false
}

/** Blocks switches of this wallet until the transaction ends, so that an answered switch holds for every later bind. */
export async function lockConsentShared(tx: Transaction, wallet: Address): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(hashtextextended(${`wallet consent ${wallet}`}, 0))`
}

/** Switches consent on for a wallet that never decided, when its payment names its request; a signed switch stays. */
export async function startConsent(tx: Transaction, wallet: Address, intentId: string): Promise<void> {
  await tx`
    insert into service.wallet_consents (wallet, is_required, intent_id) values (${wallet}, true, ${intentId})
    on conflict (wallet) do nothing`
}

/** A signed switch. `timestamp` is the signed time, Unix seconds. */
export interface ConsentSwitch {
  wallet: Address
  isRequired: boolean
  timestamp: bigint
}

/**
 * Stores a switch that is newer than the last one, after every bind that read the earlier state.
 * @returns false when a switch of this time or later exists: nothing changed
 */
export async function switchConsent(
  tx: Transaction,
  { wallet, isRequired, timestamp }: ConsentSwitch,
): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`wallet consent ${wallet}`}, 0))`
  const rows = await tx`
    insert into service.wallet_consents as c (wallet, is_required, switched_at)
    values (${wallet}, ${isRequired}, ${timestamp})
    on conflict (wallet) do update set
      is_required = excluded.is_required, switched_at = excluded.switched_at, updated_at = now()
    where c.switched_at is null or c.switched_at < excluded.switched_at
    returning wallet`
  return rows.length === 1
}
