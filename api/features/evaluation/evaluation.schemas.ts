import { z } from 'zod'
import { MAX_RANK, MAX_WINNERS } from '../../domain/limits.ts'
import { addressText, baseUnitsText, bytes32Text } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'

/** The body of a write whose only input is the task. */
export const taskBody = z.object({ taskId: bytes32Text.optional() })

export const txHashResponse = z.object({ txHash: hashOut })

export const awardsSchema = z
  .array(
    z.object({
      worker: addressText,
      amount: baseUnitsText.meta({ description: 'Gross, base units, more than 0; the platform fee is part of it.' }),
      rank: z.int().min(1).max(MAX_RANK).meta({ description: 'Unique in the decision; 1 is the primary award.' }),
    }),
  )
  .max(MAX_WINNERS)
