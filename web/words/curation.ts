import type { Vault } from '../http/rows.ts'

/**
 * Texts for the curation status of a vault, which a curator of this service sets. The contract ignores the status, and
 * treats approved and rejected vaults alike.
 */
export const curationWords: Readonly<Record<Vault['curationStatus'], string>> = {
  approved: 'approved by a curator of this service',
  rejected: 'rejected by a curator of this service',
  unverified: 'not yet looked at by a curator of this service',
}
