import { z } from 'zod'
import { submissionVisibilities } from '../../../protocol/visibilities.ts'
import { addressText, documentSaltText, hexText, visibleText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { taskTermsSchema } from '../task-terms.schemas.ts'
import { taskDropIdText } from './tasks.schemas.ts'

const MAX_HOOK_DATA_BYTES = 4096
/** The largest number of viewers that this schema accepts. A rule checks the exact limit later. */
const MANY_VIEWERS = 50

export const descriptionSchema = visibleText(1, 10_000)
export const metricDescriptionSchema = visibleText(0, 500)

/**
 * The schema of a request to create a task. See the specification, "Create task". The field `hookContracts` is
 * specified in the interface specification, "Tasks".
 */
export const createTaskBody = z.object({
  description: descriptionSchema,
  ...taskTermsSchema.shape,
  submissionVisibility: z
    .enum(submissionVisibilities)
    .optional()
    .meta({ default: 'public', description: 'Fixed permanently at creation.' }),
  metricDescription: metricDescriptionSchema.optional(),
  metricTarget: visibleText(0, 200).optional(),
  hookContract: addressText.optional(),
  hookData: hexText(MAX_HOOK_DATA_BYTES).optional(),
  taskDropId: taskDropIdText.optional().meta({ description: 'A drop of the payer, to add the task to.' }),
  taskDropCreate: z
    .object({ name: visibleText(1, 80), description: visibleText(0, 500).optional() })
    .optional()
    .meta({ description: 'A new drop, which the payer owns, with the task as its first.' }),
  allowedViewers: z.array(addressText).max(MANY_VIEWERS).optional(),
  accessPassword: visibleText(8, 200).optional(),
  documentSalt: documentSaltText.optional(),
})

export const createTaskResponse = z.object({
  success: z.boolean(),
  taskId: hashOut,
  intentId: z.uuid(),
  taskDropId: z.string().nullable(),
})
