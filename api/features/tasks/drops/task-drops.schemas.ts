import { z } from 'zod'
import { addressOut, timestampOut } from '../../../http/response-schemas.ts'

/** The schema of a task drop. See the interface specification, "Tasks": task drops. */
export const taskDropSchema = z
  .object({
    id: z.string(),
    ownerAddress: addressOut.meta({ description: 'The requester of its tasks, who alone adds others.' }),
    name: z.string(),
    description: z.string().nullable(),
    createdAt: timestampOut,
  })
  .meta({ id: 'TaskDrop' })

export type TaskDrop = z.output<typeof taskDropSchema>
