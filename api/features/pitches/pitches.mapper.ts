import { toAddress, toTimestamp } from '../../http/response-schemas.ts'
import type { PitchRow } from './pitches.queries.ts'
import type { Pitch, PitchStatus } from './pitches.schemas.ts'

const SECONDS_PER_HOUR = 3600

/** Returns the public form of a pitch. */
export function toPitch(row: PitchRow): Pitch {
  return {
    id: row.id,
    taskId: row.taskId,
    workerAddress: toAddress(row.worker),
    pitchText: row.pitchText ?? '',
    estimatedDuration: row.estimatedDuration === null ? null : Number(row.estimatedDuration) / SECONDS_PER_HOUR,
    status: statusOf(row),
    submittedAt: toTimestamp(row.submittedAt),
    workerAgentId: row.agentId?.toString() ?? null,
    ...toWorkerStats(row),
  }
}

/**
 * Returns the status of a pitch. All pitches of the selected worker are `selected`, because the market selects a worker
 * and not a pitch.
 */
function statusOf({ taskStatus, worker, selectedWorker }: PitchRow): PitchStatus {
  if (taskStatus === 'open') return 'pending'
  return worker === selectedWorker ? 'selected' : 'rejected'
}

function toWorkerStats({ completedTasks, ratedTasks, totalStars }: PitchRow): Pick<Pitch, 'workerStats'> {
  if (completedTasks === null || ratedTasks === null || totalStars === null) return {}
  return { workerStats: { completedTasks, averageRating: ratedTasks === 0 ? null : totalStars / ratedTasks } }
}
