import type { Address, Hex } from 'viem'
import type { AcceptanceMessage } from '../../../protocol/signed/signed-text.ts'
import type { Queryable } from '../../db/client.ts'

/** A challenge: the message that a wallet signs to accept the policies. */
export interface Challenge {
  nonce: string
  wallet: Address
  bundleDigest: string
  message: AcceptanceMessage
  issuedAt: Date
  expiresAt: Date
}

/** Returns the time of the database in whole milliseconds. All processes of a deployment share this clock. */
export async function readClock(sql: Queryable): Promise<Date> {
  const rows = await sql<[{ now: Date }]>`select date_trunc('milliseconds', now()) as now`
  return rows[0].now
}

export async function insertChallenge(sql: Queryable, challenge: Challenge): Promise<void> {
  const { nonce, wallet, bundleDigest, message, issuedAt, expiresAt } = challenge
  await sql`
    insert into service.legal_challenges (nonce, wallet, bundle_digest, message, issued_at, expires_at)
    values (${nonce}, ${wallet}, ${bundleDigest}, ${message}, ${issuedAt}, ${expiresAt})`
}

/**
 * Returns the challenge of a wallet with the given nonce, and its state. Returns null if the wallet has no such
 * challenge.
 */
export async function findChallenge(
  sql: Queryable,
  { nonce, wallet }: { nonce: string; wallet: Address },
): Promise<{ bundleDigest: string; message: AcceptanceMessage; isUsed: boolean; isExpired: boolean } | null> {
  const [row] = await sql<{ bundleDigest: string; message: AcceptanceMessage; isUsed: boolean; isExpired: boolean }[]>`
    select bundle_digest, message, used_at is not null as is_used, expires_at <= now() as is_expired
    from service.legal_challenges where nonce = ${nonce} and wallet = ${wallet}`
  return row ?? null
}

/** A signed challenge, with the hash of the receipt that the wallet gets. */
export interface SignedChallenge {
  nonce: string
  wallet: Address
  bundleDigest: string
  signature: Hex
  receiptHash: Buffer
}

/**
 * Marks a challenge as used and stores the acceptance, in one statement. Of several concurrent requests with one nonce,
 * only one succeeds, even across processes.
 * @returns the time of acceptance; null if the challenge is used or expired
 */
export async function acceptChallenge(sql: Queryable, challenge: SignedChallenge): Promise<Date | null> {
  const { nonce, wallet, bundleDigest, signature, receiptHash } = challenge
  const [row] = await sql<{ acceptedAt: Date }[]>`
    with used as (
      update service.legal_challenges set used_at = now()
      where nonce = ${nonce} and wallet = ${wallet} and bundle_digest = ${bundleDigest}
        and used_at is null and expires_at > now()
      returning nonce, wallet, bundle_digest, message
    )
    insert into service.legal_acceptances (receipt_hash, wallet, bundle_digest, nonce, message, signature)
    select ${receiptHash}::bytea, wallet, bundle_digest, nonce, message, ${signature}::text from used
    returning accepted_at`
  return row?.acceptedAt ?? null
}

/**
 * Deletes challenges that expired more than a day ago. A refusal can name the reason ("used" or "expired") only while
 * the challenge is stored.
 */
export async function deleteOldChallenges(sql: Queryable, limit: number): Promise<void> {
  await sql`
    delete from service.legal_challenges where nonce in (
      select nonce from service.legal_challenges where expires_at < now() - interval '1 day'
      order by expires_at limit ${limit} for update skip locked
    )`
}
