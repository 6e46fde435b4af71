import { z } from 'zod'
import { amountOut } from '../../http/response-schemas.ts'

const count = z.int().min(0)

/** The schema of a date in UTC. Example: `2030-01-31`. */
export const dateOut = z.iso.date()

/** The schema fields for the figures about the tasks of one day. */
const activity = {
  posted: count.meta({ description: 'Tasks that were posted on the day.' }),
  postedRewards: amountOut.meta({ description: 'Their rewards as posted.' }),
  entered: count.meta({ description: 'Tasks with their first claim, pitch, bid or delivery on the day.' }),
  delivered: count.meta({ description: 'Tasks with their first delivery on the day.' }),
  accepted: count.meta({ description: 'Tasks that ended with an award on the day.' }),
  paid: count.meta({ description: 'Those of them that paid a worker other than their requester.' }),
  requesters: count.meta({ description: 'Different requesters of the tasks that were posted or awarded.' }),
  workers: count.meta({ description: 'Different accounts that claimed, pitched, bid or delivered.' }),
  gmv: amountOut.meta({ description: 'Taken from escrow by awards, fees included.' }),
  selfAwarded: amountOut.meta({ description: 'The part of it that requesters awarded to themselves.' }),
  platformFees: amountOut,
  evaluatorFees: amountOut,
  entrySeconds: count.meta({ description: 'From posting to the first entry, the sum over `entered`.' }),
  medianEntrySeconds: count.nullable().meta({ description: 'Null: no task had its first entry.' }),
  payouts: count.meta({ description: 'Awards that paid their worker for a delivery.' }),
  payoutSeconds: count.meta({ description: 'From the awarded delivery to its payment, the sum over `payouts`.' }),
  medianPayoutSeconds: count.nullable().meta({ description: 'Null: no payout.' }),
}

/** The schema of the market's figures for past days, the oldest day first. */
export const dailyStatsOut = z.object({
  lastDay: dateOut.nullable().meta({ description: 'The newest day that there is; null: none yet.' }),
  days: z.array(
    z.object({
      day: dateOut,
      ...activity,
      serviceFees: amountOut.meta({ description: 'Fees of relayed calls.' }),
      escrowLocked: amountOut.meta({ description: 'Rewards in escrow at the end of the day.' }),
      liability: amountOut.meta({
        description: 'Escrow, stakes, payouts that were put back and prepaid money at the end of the day.',
      }),
      modes: z
        .array(z.object({ mode: z.string(), ...activity }))
        .meta({ description: 'The same of each mode that had an event.' }),
    }),
  ),
})
