import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { Acceptance } from '../../domain/legal/receipt-fault.ts'

/**
 * Returns a wallet's acceptance of the policies, found by its receipt: `receiptHash` is the sha-256 hash of the receipt
 * token. Returns null if no acceptance has this receipt.
 */
export async function findAcceptance(sql: Queryable, receiptHash: Buffer): Promise<Acceptance | null> {
  const [row] = await sql<{ wallet: Address; bundleVersion: string; bundleDigest: string; acceptedAt: Date }[]>`
    select acceptance.wallet, bundle.version as bundle_version, acceptance.bundle_digest, acceptance.accepted_at
    from service.legal_acceptances acceptance
    join service.legal_bundles bundle on bundle.digest = acceptance.bundle_digest
    where acceptance.receipt_hash = ${receiptHash}`
  return row === undefined ? null : { ...row, acceptedAt: row.acceptedAt.toISOString() }
}
