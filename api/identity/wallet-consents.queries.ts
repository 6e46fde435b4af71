import type { Address } from 'viem'
import { keepingPlans, type Queryable, type Transaction } from '../db/client.ts'

/**
 * Returns true if each payment of this wallet must name the request that it pays for (docs/internals/security.md).
 * Returns false for a wallet that has no setting yet.
 */
export async function isConsentRequired(sql: Queryable, wallet: Address): Promise<boolean> {
  const [row] = await keepingPlans(sql)<{ isRequired: boolean }[]>`
    select is_required from service.wallet_consents where wallet = ${wallet}`
  return row?.isRequired ?? false
}

/**
 * Locks the wallet's setting (see `isConsentRequired`) against changes until the transaction `tx` ends. The transaction
 * that binds a payment calls this function. A change therefore waits for such transactions, and applies to all payments
 * that are bound after it.
 */
export async function lockConsentShared(tx: Transaction, wallet: Address): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(hashtextextended(${`wallet consent ${wallet}`}, 0))`
}

/**
 * Turns the wallet's setting (see `isConsentRequired`) on, unless the wallet already has a setting. Called when a
 * payment of the wallet names its request.
 */
export async function startConsent(tx: Transaction, wallet: Address, intentId: string): Promise<void> {
  await tx`
    insert into service.wallet_consents (wallet, is_required, intent_id) values (${wallet}, true, ${intentId})
    on conflict (wallet) do nothing`
}

/**
 * A signed change of a wallet's setting. `isRequired`: true if each payment of the wallet must name its request.
 * `timestamp`: the time in the signed text, in Unix seconds.
 */
export interface ConsentSwitch {
  wallet: Address
  isRequired: boolean
  timestamp: bigint
}

/**
 * Stores a change of the setting if it is later than the wallet's last signed change. The function first waits for the
 * transactions that have locked the earlier setting (see `lockConsentShared`).
 * @returns false if a change with the same or a later time exists; nothing is changed then
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
