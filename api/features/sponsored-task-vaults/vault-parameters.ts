import type { Hex } from 'viem'
import { z } from 'zod'
import { noSuchVault } from '../../domain/sponsored/refuse-claim.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32, wholeNumber } from '../../http/request-schemas.ts'

/** The schema of the path parameters of routes about one vault. */
export const vaultParams = z.object({ vaultId: bytes32 })

/** The schema of a positive amount in base units of the vault's token. */
export const grossAmount = wholeNumber()
  .refine((amount) => amount > 0n, { error: 'must be more than 0' })
  .meta({ description: 'Base units of the vault’s token, platform fee included.' })

/** Returns the error 404 for an unknown vault. See the specification, "Sponsored-task vaults". */
export function unknownVault(vaultId: Hex): ServiceError {
  return new ServiceError(404, 'unclassified', noSuchVault(vaultId).message, { detail: 'vault_not_found' })
}
