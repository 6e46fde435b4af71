/** The limit of restarts: at most `most` restarts within `periodMs` milliseconds. */
export interface RestartLimits {
  most: number
  periodMs: number
}

/**
 * Adds a restart at `nowMs` to the earlier restarts within the period.
 * @returns the times of the restarts within the period, with the new one; null if the new restart would exceed the
 * limit
 */
export function consumeRestart(spentAtMs: readonly number[], nowMs: number, limits: RestartLimits): number[] | null {
  const countedTimes = spentAtMs.filter((atMs) => nowMs - atMs < limits.periodMs)
  return countedTimes.length < limits.most ? [...countedTimes, nowMs] : null
}
