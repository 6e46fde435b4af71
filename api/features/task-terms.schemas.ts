import { z } from 'zod'
import { auctionTypes, taskModes } from '../../protocol/rules/selectors.ts'
import { findRepeatedTag } from '../../protocol/text/fold-tag.ts'
import { taskVisibilities } from '../../protocol/visibilities.ts'
import { address, baseUnits, basisPoints, hours, plainName, seconds } from '../http/request-schemas.ts'

/** Longest tag: its UTF-8 must fit into an index entry. */
export const MAX_TAG_LENGTH = 200
/** Tags of a task, at most. */
export const MAX_TAGS = 10
/** More can never be valid; how many may be is a rule. */
const MANY_HOOKS = 50

/** Tags that are compared as one are refused: a filter could not tell them apart. */
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

/** Spec, "Create task": the fields that the terms of a task on chain are made of, all but its hooks' data. */
export const taskTermsSchema = z.object({
  reward: baseUnits.meta({ description: 'Gross escrow, USDC base units; what the creation is charged.' }),
  duration: hours.meta({ description: 'Hours until the task expires.' }),
  tags: tagsSchema,
  mode: z.enum(taskModes).default('bounty'),
  taskVisibility: z.enum(taskVisibilities).default('public'),
  stakeRequired: z.boolean().default(false),
  stakeBps: basisPoints.default(0),
  pitchDeadline: seconds.optional().meta({ description: 'Seconds from now; pitch mode.' }),
  bidDeadline: hours.optional().meta({ description: 'Hours from now; auction mode.' }),
  maxPrice: baseUnits.optional().meta({ description: 'Equals the reward; auction mode.' }),
  auctionType: z.enum(auctionTypes).optional(),
  auctionStartPrice: baseUnits.optional().meta({ description: 'For reverse_dutch.' }),
  auctionFloorPrice: baseUnits.optional().meta({ description: 'For dutch.' }),
  hookContracts: z.array(address).max(MANY_HOOKS).optional(),
  evaluator: address.optional(),
  evaluatorFeeBps: basisPoints.default(0),
  evaluationWindowHours: hours.optional().meta({ description: '24 unless given.' }),
  appealWindowHours: hours.optional().meta({ description: '24 unless given.' }),
  disputeResolver: address.optional(),
})
