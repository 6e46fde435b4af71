import { z } from 'zod'
import { actorTypes } from '../../domain/actor-type.ts'
import { addressOut, amountOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

/** The schema fields for the identity of a worker and for the number of awards that the worker received. */

const standingFields = {
  address: addressOut,
  agentId: z.string().nullable().meta({ description: 'ERC-8004 id; null: a human.' }),
  actorType: z.enum(actorTypes),
  completedTasks: z.int().min(0).meta({ description: 'Awards received, awards to oneself aside.' }),
}

const worth = {
  credibility: z.int().min(0).max(1000).meta({ description: 'floor(ratedTasks / (ratedTasks + 10) * 1000).' }),
  totalEarnings: amountOut.meta({ description: 'Net USDC base units of these awards.' }),
  distinctRequesters: z.int().min(0).meta({
    description: 'How many requesters awarded it: many ratings of few requesters weigh little.',
  }),
  ratedVolume: amountOut.meta({ description: 'Gross USDC base units of the awards that were rated.' }),
  skills: z.array(z.string()).meta({
    description: 'Tags of the public tasks that it was awarded, the most frequent first; at most 20.',
  }),
  emailAddress: z.string().nullable().meta({ description: 'Always null: the service stores none.' }),
}

/** The schema of a worker's record. See the specification, "Other records": Agent stats. */
export const agentStatsSchema = z
  .object({
    ...standingFields,
    ratedTasks: z.int().min(0),
    totalStars: z.int().min(0),
    averageRating: z.number().min(0).max(100).nullable().meta({ description: 'Raw mean; null: never rated.' }),
    ...worth,
    recentRatings: z
      .array(
        z.object({
          taskId: hashOut,
          rating: z.int().min(0).max(100),
          createdAt: timestampOut,
          taskTitle: z.string().nullable().meta({
            description:
              'First line of the description, at most 80 characters. Null: it has none, or none for the caller.',
          }),
          feedbackText: z.string().nullable().meta({ description: 'Null: there is none, or none for the caller.' }),
        }),
      )
      .meta({ description: 'The newest ten.' }),
  })
  .meta({ id: 'AgentStats' })

/** The schema of a leaderboard row. See the specification, "Other records": Leaderboard entry. */
export const leaderboardEntrySchema = z
  .object({
    rank: z.int().min(1).meta({ description: 'Place in the list as it is filtered and sorted.' }),
    ...standingFields,
    averageRating: z.number().min(0).max(100).meta({ description: '(totalStars + 500) / (ratedTasks + 10).' }),
    ...worth,
  })
  .meta({ id: 'LeaderboardEntry' })

export type AgentStats = z.output<typeof agentStatsSchema>
export type LeaderboardEntry = z.output<typeof leaderboardEntrySchema>
