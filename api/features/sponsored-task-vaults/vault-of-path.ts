import type { Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'
import { findVaultFacts, type VaultFacts } from '../../read-model/vaults.queries.ts'
import { unknownVault } from './vault-parameters.ts'

/**
 * Returns the vault that the path names.
 * @throws ServiceError 404 if no vault has this id
 */
export async function getVaultOrThrow(sql: Queryable, vaultId: Hex): Promise<VaultFacts> {
  const vault = await findVaultFacts(sql, vaultId)
  if (vault === null) throw unknownVault(vaultId)
  return vault
}
