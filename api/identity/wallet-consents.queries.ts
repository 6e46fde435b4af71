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
 * Holds the wallet's setting (see `isConsentRequired`) unchanged until the transaction `tx` ends. A transaction that
 * binds a payment takes this shared lock if the payment does not name its request. A change of the setting waits until
 * all transactions with the lock have ended, and then applies to every payment that is bound later.
 */
export async function lockConsentShared(tx: Transaction, wallet: Address): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(hashtextextended(${`wallet consent ${wallet}`}, 0))`
}

/**
 * Sets the wallet's setting to true (see `isConsentRequired`), unless the wallet already has a setting. Called when a
 * payment of the wallet names the request that it pays for.
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
 * Stores a signed change of the wallet's setting (see `isConsentRequired`). Before that, the function waits until all
 * transactions that hold the lock of `lockConsentShared` have ended.
 * @returns false if a signed change with the same or a later time is already stored; the new change is then not stored
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
