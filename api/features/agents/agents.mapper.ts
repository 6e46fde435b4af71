import type { Address, Hex } from 'viem'
import { actorTypeOf } from '../../domain/actor-type.ts'
import { averageOf, credibilityOf, shrunkAverageOf } from '../../domain/agent-standing.ts'
import { taskTitleOf } from '../../domain/task-title.ts'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { AgentStats, LeaderboardEntry } from './agents.schemas.ts'

/** The indexer's record of an account as a worker. */
export interface AgentRow {
  address: Address
  /** The account's ERC-8004 id, or null if the account has none; the service then calls the worker a human. */
  agentId: bigint | null
  completedTasks: number
  /** The number of requesters that awarded the account at least once. */
  distinctRequesters: number
  ratedTasks: number
  /** The sum of the gross amounts of the account's rated awards, in base units of USDC. */
  ratedVolume: bigint
  totalStars: number
  /** The sum of the account's awards after fees, in base units of USDC. */
  totalEarnings: bigint
}

/** A rating of a worker. `description` and `feedbackText` are null if the caller may not read them. */
export interface ShownRating {
  taskId: Hex
  /** The rating, from 0 to 100. */
  rating: number
  /** The time of the rating, in Unix seconds. */
  ratedAt: bigint
  description: string | null
  feedbackText: string | null
}

export function toAgentStats(row: AgentRow, skills: string[], ratings: readonly ShownRating[]): AgentStats {
  const { ratedTasks, totalStars } = row
  return {
    ...toStanding(row),
    ratedTasks,
    totalStars,
    averageRating: averageOf(row),
    ...toWorth(row, skills),
    recentRatings: ratings.map(({ taskId, rating, ratedAt, description, feedbackText }) => ({
      taskId,
      rating,
      createdAt: toTimestamp(ratedAt),
      taskTitle: taskTitleOf(description),
      feedbackText,
    })),
  }
}

export function toLeaderboardEntry(row: AgentRow, rank: number, skills: string[]): LeaderboardEntry {
  return { rank, ...toStanding(row), averageRating: shrunkAverageOf(row), ...toWorth(row, skills) }
}

function toStanding({ address, agentId, completedTasks }: AgentRow) {
  return {
    address: toAddress(address),
    agentId: agentId?.toString() ?? null,
    actorType: actorTypeOf(agentId),
    completedTasks,
  }
}

function toWorth(row: AgentRow, skills: string[]) {
  return {
    credibility: credibilityOf(row),
    totalEarnings: toAmount(row.totalEarnings),
    distinctRequesters: row.distinctRequesters,
    ratedVolume: toAmount(row.ratedVolume),
    skills,
    emailAddress: null,
  }
}
