import { z } from 'zod'
import { claimStatuses } from '../../../protocol/rules/claim-status.ts'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

/** The schema of a claim. See the interface specification, "Record shapes" (claim). */
export const claimSchema = z
  .object({
    id: hashOut,
    taskId: hashOut,
    workerAddress: addressOut,
    stakeAmount: amountOut,
    stakeTxHash: hashOut.nullable().meta({ description: 'Where the stake was put in; null without one.' }),
    claimedAt: timestampOut,
    status: z.enum(claimStatuses).meta({
      description:
        'active: to be delivered. submitted: delivered. forfeited: expired undelivered. returned: delivered, and the ' +
        'stake went back.',
    }),
  })
  .meta({ id: 'Claim' })

export type Claim = z.output<typeof claimSchema>
