import type postgres from 'postgres'
import type { AttemptRow, IntentRow, TableEvidence } from './evidence.ts'

/** Reads the service's tables by its own SQL. */
export async function readTables(sql: postgres.Sql): Promise<TableEvidence> {
  const intents = await sql<IntentRow[]>`
    select id, idempotency_key as key, status, kind, chain_intent_id as "chainIntentId", initiator,
           payment_nonce as "paymentNonce", tx_hash as "txHash", refund_status as "refundStatus", relay_class as "relayClass",
           gas_account as "gasAccount"
    from service.intents`
  const attempts = await sql<(Omit<AttemptRow, 'nonce' | 'signedAt'> & { nonce: string; signedAt: Date })[]>`
    select intent_id as "intentId", relayer, nonce, hash, purpose, created_at as "signedAt" from service.attempts`
  const nonceSequences = await sql<{ relayer: AttemptRow['relayer']; nextNonce: string }[]>`
    select address as relayer, next_nonce as "nextNonce" from service.relayers`
  const gasAccounts = await sql<{ name: string; usedWei: string }[]>`
    select name, used_wei as "usedWei" from service.gas_accounts`
  return {
    intents,
    attempts: attempts.map((row) => ({ ...row, nonce: BigInt(row.nonce), signedAt: row.signedAt.getTime() })),
    nonceSequences: nonceSequences.map(({ relayer, nextNonce }) => ({ relayer, nextNonce: BigInt(nextNonce) })),
    gasAccounts: gasAccounts.map(({ name, usedWei }) => ({ name, usedWei: BigInt(usedWei) })),
  }
}
