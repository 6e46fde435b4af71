import { z } from 'zod'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import { MAX_RANK, MAX_WINNERS } from '../../domain/limits.ts'
import { address, baseUnits, bytes32 } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'

export const taskParams = z.object({ taskId: bytes32 })

/** The body of a write that needs to know nothing but its task. */
export const taskBody = z.object({ taskId: bytes32.optional() })

export const txHashResponse = z.object({ txHash: hashOut })

export const awardsSchema = z
  .array(
    z.object({
      worker: address,
      amount: baseUnits.meta({ description: 'Gross, base units, more than 0; the platform fee is part of it.' }),
      rank: z.int().min(1).max(MAX_RANK).meta({ description: 'Unique in the decision; 1 is the primary award.' }),
    }),
  )
  .max(MAX_WINNERS)

/** The contract's `Verdict` by name. */
export const contractVerdicts = { approve: 1, reject: 2, partial: 3 } as const satisfies Record<Verdict, number>
