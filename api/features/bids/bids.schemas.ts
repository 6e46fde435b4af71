import { z } from 'zod'
import { biddingTypes } from '../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

/** The schema of a bid. See the specification, "Other records" (bid). */
export const bidSchema = z
  .object({
    id: hashOut.meta({
      description:
        'As `POST /tasks/{taskId}/bids` answered it. While bids are sealed, that of another worker’s bid is a stand-in.',
    }),
    taskId: hashOut,
    workerAddress: addressOut.nullable().meta({ description: 'Null: sealed.' }),
    workerAgentId: z.string().nullable().meta({ description: 'Null: a human, or sealed.' }),
    price: amountOut.nullable().meta({ description: 'Null: sealed.' }),
    createdAt: timestampOut.meta({
      description:
        'When this price was bid. While bids are sealed, that of another worker’s bid is the task’s creation.',
    }),
    isMyBid: z.boolean().optional().meta({ description: 'Absent for an anonymous caller.' }),
  })
  .meta({ id: 'Bid' })

export type Bid = z.output<typeof bidSchema>

/** The schema of the caller's own bid. See the specification, "Claim, pitches, bids, proofs" (bids/my). */
export const myBidSchema = z
  .object({
    taskId: hashOut,
    auctionType: z.enum(biddingTypes),
    myBidPrice: amountOut,
    currentLowestBid: amountOut.nullable().meta({ description: 'Null in a reverse english auction: bids are sealed.' }),
    bidDeadline: timestampOut,
    bidCount: z.int().min(0).meta({ description: 'Workers with a bid.' }),
    taskStatus: z.enum(taskStatuses),
  })
  .meta({ id: 'MyBid' })

export type MyBid = z.output<typeof myBidSchema>
