import type { Address, Hex } from 'viem'
import { actorTypeOf } from '../../domain/actor-type.ts'
import { averageOf, credibilityOf, shrunkAverageOf } from '../../domain/agent-standing.ts'
import { taskTitleOf } from '../../domain/task-title.ts'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { AgentStats, LeaderboardEntry } from './agents.schemas.ts'

/** The indexer's record of an address as a worker. */
export interface AgentRow {
  address: Address
  /** The ERC-8004 id; null: a human. */
  agentId: bigint | null
  completedTasks: number
  /** The number of requesters that awarded it. */
  distinctRequesters: number
  ratedTasks: number
  /** The gross base units of rated awards. */
  ratedVolume: bigint
  totalStars: number
  /** The net earnings, base units. */
  totalEarnings: bigint
}

/** A rating of a worker, with the texts that the caller may read. */
export interface ShownRating {
  taskId: Hex
  /** The rating, 0..100. */
  rating: number
  /** The time of the rating, Unix seconds. */
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
