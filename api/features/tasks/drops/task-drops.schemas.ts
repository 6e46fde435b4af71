import { z } from 'zod'
import { wellFormedText } from '../../../http/request-schemas.ts'
import { addressOut, timestampOut } from '../../../http/response-schemas.ts'

/** The id of a drop in any case. */
export const taskDropIdText = wellFormedText(1, 200)

/** The same. Becomes lower case. */
export const taskDropIdSchema = taskDropIdText.transform((id) => id.toLowerCase())

/** Interface, "Tasks": task drops. */
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
