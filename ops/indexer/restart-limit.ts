/** How often something may be restarted: `most` times within `periodMs`. */
export interface RestartLimits {
  most: number
  periodMs: number
}

/** The restarts that still count after one more, or null when that is one too many. */
export function consumeRestart(spentAtMs: readonly number[], nowMs: number, limits: RestartLimits): number[] | null {
  const counted = spentAtMs.filter((atMs) => nowMs - atMs < limits.periodMs)
  return counted.length < limits.most ? [...counted, nowMs] : null
}
