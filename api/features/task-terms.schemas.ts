import { z } from 'zod'
import { auctionTypes, taskModes } from '../../protocol/rules/selectors.ts'
import { findRepeatedTag } from '../../protocol/text/fold-tag.ts'
import { taskVisibilities } from '../../protocol/visibilities.ts'
import {
  addressText,
  baseUnitsText,
  basisPoints,
  hoursNumber,
  plainName,
  secondsNumber,
} from '../http/request-schemas.ts'

/** The largest length of a tag in characters. At this length, the tag's UTF-8 bytes fit into an entry of an index. */
export const MAX_TAG_LENGTH = 200
/** The largest number of tags of a task. */
export const MAX_TAGS = 10
/** The largest number of hooks that this schema accepts. A rule checks the exact limit later. */
const MANY_HOOKS = 50

/**
 * The schema of a task's tags. Two tags that differ only in case are refused, because a filter could not distinguish
 * them.
 */
export const tagsSchema = z
  .array(plainName(1, MAX_TAG_LENGTH))
  .max(MAX_TAGS)
  .superRefine((tags, context) => {
    const place = findRepeatedTag(tags)
    if (place === -1) return
    const message = 'is the same tag as an earlier one: tags are compared without regard to case'
    context.addIssue({ code: 'custom', path: [place], message })
  })
  .meta({ description: 'Stored as given and compared without regard to case: no two may be the same tag.' })

/**
 * The fields of a task's terms that are stored on chain, except the data of the hooks. `normaliseTerms` converts units
 * and case. See the specification, "Create task".
 */
export const taskTermsSchema = z.object({
  reward: baseUnitsText.meta({ description: 'Gross escrow, USDC base units; what the creation is charged.' }),
  duration: hoursNumber.meta({ description: 'Hours until the task expires.' }),
  tags: tagsSchema,
  mode: z.enum(taskModes).optional().meta({ default: 'bounty' }),
  taskVisibility: z.enum(taskVisibilities).optional().meta({ default: 'public' }),
  stakeRequired: z.boolean().optional().meta({ default: false }),
  stakeBps: basisPoints.optional().meta({ default: 0 }),
  pitchDeadline: secondsNumber.optional().meta({ description: 'Seconds from now; pitch mode.' }),
  bidDeadline: hoursNumber.optional().meta({ description: 'Hours from now; auction mode.' }),
  maxPrice: baseUnitsText.optional().meta({ description: 'Equals the reward; auction mode.' }),
  auctionType: z.enum(auctionTypes).optional(),
  auctionStartPrice: baseUnitsText.optional().meta({ description: 'For reverse_dutch.' }),
  auctionFloorPrice: baseUnitsText.optional().meta({ description: 'For dutch.' }),
  hookContracts: z.array(addressText).max(MANY_HOOKS).optional(),
  evaluator: addressText.optional(),
  evaluatorFeeBps: basisPoints.optional().meta({ default: 0 }),
  evaluationWindowHours: hoursNumber.optional().meta({ description: '24 unless given.' }),
  appealWindowHours: hoursNumber.optional().meta({ description: '24 unless given.' }),
  disputeResolver: addressText.optional(),
})
