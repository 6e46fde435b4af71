import { z } from 'zod'
import { actionNames } from '../../../protocol/actions.ts'
import { phases } from '../../../protocol/phase.ts'
import { bonusSides } from '../../../protocol/rules/bonus.ts'
import { auctionTypes, taskModes } from '../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { submissionVisibilities, taskVisibilities } from '../../../protocol/visibilities.ts'
import { actorTypes } from '../../domain/actor-type.ts'
import { roles } from '../../domain/pending-action.ts'
import { rewardStates } from '../../domain/sponsored/reward-state.ts'
import { wellFormedText } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'
import { curationStatuses } from '../../read-model/vault-curation.queries.ts'

const bps = z.int().min(0).max(10_000)
const count = z.int().min(0)
const agentIdOut = z.string().nullable().meta({ description: 'ERC-8004 agent id; null means a human.' })

/** The schema of a task drop's id as a client sends it, in upper or lower case. */
export const taskDropIdText = wellFormedText(1, 200)

/** The schema of a task drop's id. The parsed id is in lower case. */
export const taskDropIdSchema = taskDropIdText.transform((id) => id.toLowerCase())

/** The schema of an action that is possible now. See the specification, "PendingAction". */
export const pendingActionSchema = z
  .object({
    role: z.enum(roles),
    action: z.enum(actionNames),
    command: z.string().meta({ description: 'Command of the client tool; replace the angle-bracket placeholders.' }),
    eligibleAddress: addressOut
      .nullable()
      .meta({ description: 'The one wallet that may act; null: anyone of the role.' }),
    requiresPayment: z.boolean(),
    paymentAmount: amountOut.nullable(),
    availableAfter: timestampOut.nullable(),
    availableUntil: timestampOut.nullable(),
    targetWorker: addressOut.nullable().meta({ description: 'Whom a `rate` action is about; null otherwise.' }),
    request: z
      .object({
        method: z.literal('POST'),
        path: z.string().meta({ description: 'From the service’s root.' }),
        operationId: z.string().meta({ description: 'Of this document: what the body takes.' }),
        sign: z.string().nullable().meta({
          description: 'The exact text of the EIP-191 signature that the body must carry; null: none is needed.',
        }),
      })
      .meta({ description: 'The request that takes the action.' }),
  })
  .meta({ id: 'PendingAction' })

/** The schema of an award. See the specification, "Award". */
const awardSchema = z
  .object({
    workerAddress: addressOut,
    workerAgentId: agentIdOut,
    workerActorType: z.enum(actorTypes),
    rank: z.int().min(1),
    isPrimary: z.boolean(),
    grossAmount: amountOut,
    workerPayment: amountOut,
    platformFee: amountOut,
    settlementTxHash: hashOut,
    settledAt: timestampOut,
    rating: z.int().min(0).max(100).nullable(),
  })
  .meta({ id: 'Award' })

/** The schema of a reward that a vault pays. See the interface specification, "Sponsored vaults". */
const sponsoredRewardSchema = z
  .object({
    vaultId: hashOut,
    tokenAddress: addressOut,
    tokenSymbol: z
      .string()
      .nullable()
      .meta({ description: 'Chosen by the token, at most 32 printable characters; null when it exposes none.' }),
    tokenDecimals: z.int().nullable(),
    grossAmount: amountOut.meta({ description: 'Platform fee included, base units of the token.' }),
    netAmount: amountOut.meta({ description: 'What a full award earns its workers.' }),
    state: z.enum(rewardStates).meta({
      description: '`credited`: claimable. `defaulted`: the owner exited the vault before all of it was claimed.',
    }),
    curationStatus: z.enum(curationStatuses),
  })
  .meta({ id: 'SponsoredTaskReward' })

/**
 * The schema of a task in a list. Fields that the task's mode does not use are null. See the specification, "Task (list
 * item shape)".
 */
export const taskSchema = z
  .object({
    id: hashOut,
    referenceCode: z.string(),
    requester: addressOut,
    requesterPubkey: z
      .string()
      .nullable()
      .meta({ description: 'Compressed secp256k1 key, 66 hex digits; null while the requester published none.' }),
    description: z.string(),
    reward: amountOut.meta({ description: 'Gross escrow, USDC base units.' }),
    escrowTxHash: hashOut,
    createdAt: timestampOut.meta({ description: 'Strictly increasing over all tasks: the paging cursor.' }),
    expiryTime: timestampOut,
    status: z.enum(taskStatuses),
    tags: z.array(z.string()),
    mode: z.enum(taskModes),
    taskVisibility: z.enum(taskVisibilities),
    submissionVisibility: z.enum(submissionVisibilities),
    hasAccessPassword: z.boolean(),
    stakeRequired: z.boolean(),
    stakeBps: bps,
    pitchDeadline: timestampOut.nullable(),
    bidDeadline: timestampOut.nullable(),
    maxPrice: amountOut.nullable(),
    metricDescription: z.string().nullable(),
    metricTarget: z.string().nullable(),
    claimedBy: addressOut.nullable(),
    claimedAt: timestampOut.nullable(),
    platformFeeBps: bps,
    submissionCount: count,
    pitchCount: count,
    awardCount: count,
    primaryAward: z.object({ workerAddress: addressOut, rating: z.int().min(0).max(100).nullable() }).nullable(),
    requesterAgentId: agentIdOut,
    workerAgentId: agentIdOut,
    requesterActorType: z.enum(actorTypes),
    workerActorType: z.enum(actorTypes).optional().meta({ description: 'Absent until a worker is assigned.' }),
    auctionType: z.enum(auctionTypes).nullable(),
    auctionStartPrice: amountOut.nullable(),
    auctionFloorPrice: amountOut.nullable(),
    currentAuctionPrice: amountOut.nullable(),
    currentLowestBid: amountOut.nullable(),
    auctionBidCount: count.nullable().meta({ description: 'Workers with a bid; null outside auctions.' }),
    auctionPriceReachesFloorAt: timestampOut.nullable(),
    auctionPriceReachesMaxAt: timestampOut.nullable(),
    hookContract: addressOut.nullable(),
    hooks: z.array(addressOut),
    evaluator: addressOut.nullable(),
    evaluatorStake: amountOut.nullable(),
    evaluatorFeeBps: bps.nullable(),
    evaluationWindow: z.int().min(0).nullable().meta({ description: 'Seconds.' }),
    appealWindow: z.int().min(0).nullable().meta({ description: 'Seconds.' }),
    disputeResolver: addressOut.nullable(),
    appealDeadline: timestampOut.nullable(),
    evaluatorDeadline: timestampOut.nullable(),
    verdictType: z.enum(['APPROVE', 'REJECT', 'PARTIAL']).nullable(),
    verdictScore: z.int().nullable(),
    verdictConfidence: z.int().nullable(),
    verdictEvidenceHash: hashOut.nullable(),
    submissionWindowOpen: z.boolean(),
    phase: z.enum(phases),
    netReward: amountOut
      .nullable()
      .meta({ description: 'Single-winner estimate after fees; awards tell what was paid.' }),
    pendingActions: z.array(pendingActionSchema),
    selfAward: z.boolean().nullable(),
    taskDropId: z.string().nullable(),
    taskDrop: z.object({ id: z.string(), name: z.string() }).nullable(),
    sponsoredTaskRewards: z
      .array(sponsoredRewardSchema)
      .optional()
      .meta({ description: 'What a vault pays beside the reward; absent when none does.' }),
  })
  .meta({ id: 'Task' })

const multiplierOut = bps.nullable().meta({ description: 'By the age of the wallet.' })
const effectiveOut = amountOut.nullable().meta({
  description:
    'What a completion now would credit, after multiplier, caps and reserve: an approval, or the verdict that stands.',
})

/** The schema of a task's token bonus. See the interface specification, "Token bonus". */
const taskBonusSchema = z
  .object({
    locked: z.boolean().meta({ description: 'Whether rate, value and division were fixed with the worker.' }),
    workerMultiplierBps: multiplierOut,
    requesterMultiplierBps: multiplierOut,
    effectiveWorkerToken: effectiveOut,
    effectiveRequesterToken: effectiveOut,
    credits: z
      .array(
        z.object({
          account: addressOut,
          role: z.enum(bonusSides),
          rank: z.int().min(1).meta({ description: 'Of the award.' }),
          usd: amountOut.meta({ description: 'What counts against the caps, USDC base units.' }),
          tokens: amountOut.meta({ description: 'Base units of the reward token.' }),
          multiplierBps: bps,
        }),
      )
      .meta({ description: 'What was credited, by rank.' }),
  })
  .meta({ id: 'TaskBonus', description: 'Numbers of a completion now are null without a worker and after the end.' })

/** The schema of a task in full. See the specification, "Task detail". */
export const taskDetailSchema = taskSchema
  .extend({
    awards: z.array(awardSchema),
    tokenPerUsdc: amountOut.meta({ description: 'Base units of the reward token for one USDC; "0": no bonus.' }),
    bonusBps: bps,
    estimatedUsdBonusValue: amountOut.meta({
      description: 'USDC base units; like all estimates before the multipliers of the wallets and the caps.',
    }),
    estimatedWorkerUsdBonusValue: amountOut,
    estimatedRequesterUsdBonusValue: amountOut,
    estimatedWorkerTokenBonus: amountOut,
    estimatedRequesterTokenBonus: amountOut,
    bonus: taskBonusSchema,
    claimRound: count.meta({ description: 'Number of reopens: what bound claim and forfeit signatures name.' }),
    termsHash: hashOut.nullable().meta({
      description:
        'Hash of these terms on chain (`taskTermsHash` of the market), texts not included: what a claim may name. Null ' +
        'for a mode this service does not know.',
    }),
    agreedPrice: amountOut.nullable().meta({
      description:
        'Auctions: the price that the assigned worker bid or took, USDC base units. All of the escrow that is left then. ' +
        'Null in other modes, and before a worker is assigned.',
    }),
    resolution: z
      .object({ verdict: z.enum(['APPROVE', 'PARTIAL']), resolver: addressOut, resolvedAt: timestampOut })
      .nullable()
      .meta({ description: 'The decision of the dispute resolver; the verdict fields stay the evaluator’s.' }),
  })
  .meta({ id: 'TaskDetail' })

export type Task = z.output<typeof taskSchema>
export type TaskDetail = z.output<typeof taskDetailSchema>
export type Award = z.output<typeof awardSchema>
