import type { Hex } from 'viem'
import { z } from 'zod'
import { noSuchVault } from '../../domain/sponsored/refuse-claim.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32, wholeNumber } from '../../http/request-schemas.ts'

/** The path of everything below one vault. */
export const vaultParams = z.object({ vaultId: bytes32 })

/** Base units of the vault's token, more than nothing. */
export const grossAmount = wholeNumber()
  .refine((amount) => amount > 0n, { error: 'must be more than 0' })
  .meta({ description: 'Base units of the vault’s token, platform fee included.' })

/** Spec, "Sponsored-task vaults": an unknown id is not found, also where a failure has a code for it. */
export function unknownVault(vaultId: Hex): ServiceError {
  return new ServiceError(404, 'unclassified', noSuchVault(vaultId).message, { detail: 'vault_not_found' })
}
