import type { Vault } from '../http/rows.ts'

/** The word of a curator of this service about a vault. It binds no contract: a vault works the same without it. */
export const curationWords: Readonly<Record<Vault['curationStatus'], string>> = {
  approved: 'approved by a curator of this service',
  rejected: 'rejected by a curator of this service',
  unverified: 'not yet looked at by a curator of this service',
}
