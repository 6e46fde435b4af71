import type { Address } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'

/** Whether payments of this wallet must name their request; a wallet without a row asks for nothing. */
export async function isConsentRequired(sql: Queryable, wallet: Address): Promise<boolean> {
  const [row] = await sql<{ isRequired: boolean }[]>`
    select is_required from service.wallet_consents where wallet = ${wallet}`
  return row?.isRequired ?? false
}

/** Keeps switches of this wallet away until the transaction ends: an answered switch holds for every later bind. */
export async function lockConsentShared(tx: Transaction, wallet: Address): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(hashtextextended(${`wallet consent ${wallet}`}, 0))`
}

/** A payment that names its request switches consent on for a wallet that never decided; a signed switch stays. */
export async function startConsent(tx: Transaction, wallet: Address, intentId: string): Promise<void> {
  await tx`
    insert into service.wallet_consents (wallet, is_required, intent_id) values (${wallet}, true, ${intentId})
    on conflict (wallet) do nothing`
}

/** A signed switch. `timestamp` is the one that was signed, Unix seconds. */
export interface ConsentSwitch {
  wallet: Address
  isRequired: boolean
  timestamp: bigint
}

/**
 * Stores a switch that is newer than the last one, after every bind that read the state before it.
 * @returns false when one of this time or a later one was taken before: nothing changed
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
