/** A reading of the watchdog. Blocks are heights, times milliseconds of one clock. */
export interface Sample {
  atMs: number
  /** Height of the chain, by RPC. */
  head: bigint
  /** Height of the indexed rows, by Ponder's checkpoint. */
  indexed: bigint
}

export interface WatchdogLimits {
  /** Time for which the indexed height may stand still while the chain is ahead of it, milliseconds. */
  stalledMs: number
  /** Maximum blocks by which the indexed height may be behind, ... */
  lagBlocks: bigint
  /** ... for this time without catching up, milliseconds. */
  lagMs: number
}

export interface WatchdogState {
  indexed: bigint
  /** Time since which the indexed height is unchanged while the chain is ahead. */
  progressAtMs: number
  /** Smallest distance while too far behind, and its time; null: not too far behind. */
  behind: { blocks: bigint; sinceMs: number } | null
}

/** The first state of a watch. */
export function startWatch(sample: Sample): WatchdogState {
  return { indexed: sample.indexed, progressAtMs: sample.atMs, behind: null }
}

/** Returns the next state, and why the indexer must be restarted; null: it must not. */
export function watch(
  state: WatchdogState,
  { sample, limits }: { sample: Sample; limits: WatchdogLimits },
): { state: WatchdogState; reason: string | null } {
  const { atMs, head, indexed } = sample
  const moved = indexed !== state.indexed || indexed >= head
  const blocks = head - indexed
  const isNearer = state.behind === null || blocks < state.behind.blocks
  const behind = isNearer ? { blocks, sinceMs: atMs } : state.behind
  const next: WatchdogState = {
    indexed,
    progressAtMs: moved ? atMs : state.progressAtMs,
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
