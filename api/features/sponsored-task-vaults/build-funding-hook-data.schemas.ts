import { z } from 'zod'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { addressOut } from '../../http/response-schemas.ts'
import { taskTermsSchema } from '../task-terms.schemas.ts'
import { grossAmount } from './vault-parameters.ts'

/**
 * The largest amount that a vault can pay for one task, in base units of the vault's token: the maximum of uint128.
 */
const MAX_CHARGE = 2n ** 128n - 1n

const { tags, hookContracts } = taskTermsSchema.shape

/**
 * The schema of the request: the task fields that the hook data contains, and the amount that the vault pays. See the
 * specification, "Sponsored-task vaults".
 */
export const buildFundingHookDataBody = taskTermsSchema.extend({
  vaultId: bytes32.optional(),
  managerAddress: address.meta({ description: 'Who creates the task: its requester, and a manager of the vault.' }),
  grossAmount: grossAmount.refine((amount) => amount <= MAX_CHARGE, { error: 'must be at most 2^128 - 1' }),
  tags: tags.default([]),
  hookContracts: hookContracts.unwrap().default([]).meta({
    description: 'Other hooks of the task in order, without the hook of sponsored tasks.',
  }),
})

export const buildFundingHookDataResponse = z
  .object({
    hookAddress: addressOut.meta({ description: 'Goes last into the `hookContracts` of the task.' }),
    hookData: z
      .string()
      .regex(/^0x[0-9a-f]+$/)
      .meta({ description: 'The `hookData` of the task.' }),
  })
  .meta({ id: 'FundingHookData' })
