import { z } from 'zod'
import { baseUnitsText, bytes32Text, documentSaltText, unixSecondsNumber } from '../../http/request-schemas.ts'
import { tagsSchema } from '../task-terms.schemas.ts'
import { descriptionSchema, metricDescriptionSchema } from './create-task.schemas.ts'

/** The schema of a task's update. See the specification, "Lifecycle writes": update. */
export const updateTaskBody = z
  .object({
    taskId: bytes32Text.optional(),
    reward: baseUnitsText
      .optional()
      .meta({ description: 'New gross escrow; an increase is charged, a decrease returned.' }),
    expiryTime: unixSecondsNumber.optional(),
    bidDeadline: unixSecondsNumber
      .optional()
      .meta({ description: 'Auction mode; before the expiry where bids are placed.' }),
    pitchDeadline: unixSecondsNumber.optional().meta({ description: 'Pitch mode; not after the expiry.' }),
    auctionFloorPrice: baseUnitsText.optional().meta({ description: 'For dutch; at most the reward.' }),
    auctionStartPrice: baseUnitsText.optional().meta({ description: 'For reverse_dutch; at most the reward.' }),
    description: descriptionSchema.optional(),
    tags: tagsSchema.optional(),
    metricDescription: metricDescriptionSchema.optional(),
    documentSalt: documentSaltText.optional(),
  })
  .refine(
    ({ taskId: _repeated, documentSalt: _choice, ...changes }) =>
      Object.values(changes).some((value) => value !== undefined),
    {
      error: 'must change at least one field',
    },
  )
