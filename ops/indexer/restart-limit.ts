/** The limit of restarts: `most` within `periodMs`. */
export interface RestartLimits {
  most: number
  periodMs: number
}

/** Returns the restarts that count after one more; null: one too many. */
export function consumeRestart(spentAtMs: readonly number[], nowMs: number, limits: RestartLimits): number[] | null {
  const counted = spentAtMs.filter((atMs) => nowMs - atMs < limits.periodMs)
  return counted.length < limits.most ? [...counted, nowMs] : null
}
