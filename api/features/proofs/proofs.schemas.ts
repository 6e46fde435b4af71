import { z } from 'zod'
import { proofTypes } from '../../../protocol/rules/proof-type.ts'
import { unknownName } from '../../../protocol/rules/selectors.ts'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

/** The values of a proof's status. */
export const proofStatuses = ['pending', 'verified', 'rejected'] as const
export type ProofStatus = (typeof proofStatuses)[number]

/**
 * The schema of a proof. See the specification, "Other records", and the interface specification, "Record shapes"
 * (proof).
 */
export const proofSchema = z
  .object({
    id: hashOut,
    taskId: hashOut,
    workerAddress: addressOut,
    proofData: z.string().meta({ description: 'Empty for a proof that was made without this service.' }),
    proofType: z.enum([...proofTypes, unknownName]).meta({
      description: '`unknown` only for a proof that was made without this service, of a type it does not know.',
    }),
    metricValue: amountOut.meta({ description: 'What the worker claims to have measured: a whole number.' }),
    status: z.enum(proofStatuses).meta({
      description:
        'verified: an award was given for it. rejected: its worker was rejected, or the task ended without an award ' +
        'for it. pending: undecided.',
    }),
    submissionId: hashOut.nullable().meta({ description: 'Its row in the list of submissions.' }),
    submittedAt: timestampOut,
    workerAgentId: z.string().nullable(),
  })
  .meta({ id: 'Proof' })

export type Proof = z.output<typeof proofSchema>
