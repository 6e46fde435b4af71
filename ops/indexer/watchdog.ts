/** The values that the watchdog reads at one time. All times are milliseconds of the same clock. */
export interface Sample {
  atMs: number
  /** Height of the chain, read from the node. */
  head: bigint
  /** Height of the latest indexed block, read from Ponder's checkpoint. */
  indexed: bigint
}

export interface WatchdogLimits {
  /** The longest time in milliseconds for which the indexed height may remain unchanged while the chain is ahead. */
  stalledMs: number
  /**
   * The largest number of blocks by which the rows may be behind the chain without a time limit. `lagMs` limits the
   * time of a larger lag.
   */
  lagBlocks: bigint
  /**
   * Time in milliseconds. If the rows are more than `lagBlocks` behind the chain, and the lag does not shrink for this
   * time, the watchdog requires a restart of the indexer.
   */
  lagMs: number
}

export interface WatchdogState {
  indexed: bigint
  /** Time of the most recent progress, in milliseconds. It counts as progress if the rows are at the chain's height. */
  progressAtMs: number
  /**
   * The smallest number of blocks by which the rows were behind the chain so far, and the time at which this number was
   * reached. Null while the rows are at most `lagBlocks` behind the chain.
   */
  behind: { blocks: bigint; sinceMs: number } | null
}

/** Returns the state of the watchdog after its first sample. */
export function startWatch(sample: Sample): WatchdogState {
  return { indexed: sample.indexed, progressAtMs: sample.atMs, behind: null }
}

/**
 * Compares a sample with the previous state.
 * @returns the next state, and the reason for a restart of the indexer; the reason is null if no restart is needed
 */
export function watch(
  state: WatchdogState,
  { sample, limits }: { sample: Sample; limits: WatchdogLimits },
): { state: WatchdogState; reason: string | null } {
  const { atMs, head, indexed } = sample
  const hasMoved = indexed !== state.indexed || indexed >= head
  const blocks = head - indexed
  const isNearer = state.behind === null || blocks < state.behind.blocks
  const behind = isNearer ? { blocks, sinceMs: atMs } : state.behind
  const next: WatchdogState = {
    indexed,
    progressAtMs: hasMoved ? atMs : state.progressAtMs,
    behind: blocks > limits.lagBlocks ? behind : null,
  }
  return { state: next, reason: reasonOf(next, sample, limits) }
}

function reasonOf(state: WatchdogState, { atMs, head, indexed }: Sample, limits: WatchdogLimits): string | null {
  const stalledMs = atMs - state.progressAtMs
  if (stalledMs >= limits.stalledMs) {
    return `stood still at block ${indexed} for ${toSeconds(stalledMs)} s while the chain is at ${head}`
  }
  if (state.behind === null) return null
  const lagMs = atMs - state.behind.sinceMs
  if (lagMs < limits.lagMs) return null
  return `has been more than ${limits.lagBlocks} blocks behind for ${toSeconds(lagMs)} s and comes no nearer (${indexed} of ${head})`
}

function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 1000)
}
