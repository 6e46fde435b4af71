import { z } from 'zod'
import { addressOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

/** The values of a pitch's status. */
export const pitchStatuses = ['pending', 'selected', 'rejected'] as const
export type PitchStatus = (typeof pitchStatuses)[number]

/**
 * The schema of a pitch. See the specification, "Other records", and the interface specification, "Record shapes"
 * (pitch).
 */
export const pitchSchema = z
  .object({
    id: hashOut,
    taskId: hashOut,
    workerAddress: addressOut,
    pitchText: z.string().meta({ description: 'Empty for a pitch that was made without this service.' }),
    estimatedDuration: z.number().gt(0).nullable().meta({ description: 'Hours.' }),
    status: z.enum(pitchStatuses).meta({
      description:
        'pending: the task is open. selected: of the worker who was selected. rejected: another worker was selected, ' +
        'or the task ended without one.',
    }),
    submittedAt: timestampOut,
    workerAgentId: z.string().nullable(),
    workerStats: z
      .object({ completedTasks: z.int().min(0), averageRating: z.number().min(0).max(100).nullable() })
      .optional()
      .meta({ description: 'Absent for a worker without a record.' }),
  })
  .meta({ id: 'Pitch' })

export type Pitch = z.output<typeof pitchSchema>
