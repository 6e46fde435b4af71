import { z } from 'zod'
import { auctionTypes, taskModes } from '../../../src/rules/selectors.ts'
import { submissionVisibilities, taskVisibilities } from '../../domain/creation/creation-terms.ts'
import {
  address,
  baseUnits,
  basisPoints,
  hexBytes,
  hours,
  seconds,
  wellFormedText,
} from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { taskDropIdSchema } from './drops/task-drops.schemas.ts'

/** Longest tag: its UTF-8 must fit into an index entry. */
const MAX_TAG_LENGTH = 200
const MAX_TAGS = 10
const MAX_HOOK_DATA_BYTES = 4096
/** More can never be valid; how many may be is a rule. */
const MANY_ADDRESSES = 50

export const tagsSchema = z.array(wellFormedText(1, MAX_TAG_LENGTH)).max(MAX_TAGS)
export const descriptionSchema = wellFormedText(1, 10_000)
export const metricDescriptionSchema = wellFormedText(0, 500)

/** Spec, "Create task"; `hookContracts` is an addition of Interface, "Tasks". */
export const createTaskBody = z.object({
  description: descriptionSchema,
  reward: baseUnits.meta({ description: 'Gross escrow, USDC base units; what the request is charged.' }),
  duration: hours.meta({ description: 'Hours until the task expires.' }),
  tags: tagsSchema,
  mode: z.enum(taskModes).default('bounty'),
  taskVisibility: z.enum(taskVisibilities).default('public'),
  submissionVisibility: z
    .enum(submissionVisibilities)
    .default('public')
    .meta({ description: 'Fixed permanently at creation.' }),
  stakeRequired: z.boolean().default(false),
  stakeBps: basisPoints.default(0),
  pitchDeadline: seconds.optional().meta({ description: 'Seconds from now; pitch mode.' }),
  bidDeadline: hours.optional().meta({ description: 'Hours from now; auction mode.' }),
  maxPrice: baseUnits.optional().meta({ description: 'Equals the reward; auction mode.' }),
  auctionType: z.enum(auctionTypes).optional(),
  auctionStartPrice: baseUnits.optional().meta({ description: 'For reverse_dutch.' }),
  auctionFloorPrice: baseUnits.optional().meta({ description: 'For dutch.' }),
  metricDescription: metricDescriptionSchema.optional(),
  metricTarget: wellFormedText(0, 200).optional(),
  hookContract: address.optional(),
  hookContracts: z.array(address).max(MANY_ADDRESSES).optional(),
  hookData: hexBytes(MAX_HOOK_DATA_BYTES).optional(),
  evaluator: address.optional(),
  evaluatorFeeBps: basisPoints.default(0),
  evaluationWindowHours: hours.optional().meta({ description: '24 unless given.' }),
  appealWindowHours: hours.optional().meta({ description: '24 unless given.' }),
  disputeResolver: address.optional(),
  taskDropId: taskDropIdSchema.optional().meta({ description: 'A drop of the payer, to add the task to.' }),
  taskDropCreate: z
    .object({ name: wellFormedText(1, 80), description: wellFormedText(0, 500).optional() })
    .optional()
    .meta({ description: 'A new drop, which the payer owns, with the task as its first.' }),
  allowedViewers: z.array(address).max(MANY_ADDRESSES).optional(),
  accessPassword: wellFormedText(8, 200).optional(),
})

export type CreateTaskBody = z.output<typeof createTaskBody>

export const createTaskResponse = z.object({
  success: z.boolean(),
  taskId: hashOut,
  intentId: z.uuid(),
  taskDropId: z.string().nullable(),
})
