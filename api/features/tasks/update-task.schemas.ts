import { z } from 'zod'
import { baseUnits, bytes32, unixSeconds } from '../../http/request-schemas.ts'
import { tagsSchema } from '../task-terms.schemas.ts'
import { descriptionSchema, metricDescriptionSchema } from './create-task.schemas.ts'

/** Spec, "Lifecycle writes": update. */
export const updateTaskBody = z
  .object({
    taskId: bytes32.optional(),
    reward: baseUnits
      .optional()
      .meta({ description: 'New gross escrow; an increase is charged, a decrease returned.' }),
    expiryTime: unixSeconds.optional(),
    bidDeadline: unixSeconds.optional().meta({ description: 'Auction mode; before the expiry where bids are placed.' }),
    pitchDeadline: unixSeconds.optional().meta({ description: 'Pitch mode; not after the expiry.' }),
    auctionFloorPrice: baseUnits.optional().meta({ description: 'For dutch; at most the reward.' }),
    auctionStartPrice: baseUnits.optional().meta({ description: 'For reverse_dutch; at most the reward.' }),
    description: descriptionSchema.optional(),
    tags: tagsSchema.optional(),
    metricDescription: metricDescriptionSchema.optional(),
  })
  .refine(({ taskId: _repeated, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
    error: 'must change at least one field',
  })
