/**
 * Returns the paging key of a new task, in milliseconds: its block's time, but more than the key of the task before it, so that
 * an ISO cursor neither loses nor repeats a task. Interface document, "Transport".
 * Example: `nextCreatedAtMs(2000n, 2n)` is 2001n.
 */
export function nextCreatedAtMs(lastCreatedAtMs: bigint, blockTimestampSeconds: bigint): bigint {
  const blockTimeMs = blockTimestampSeconds * 1000n
  return blockTimeMs > lastCreatedAtMs ? blockTimeMs : lastCreatedAtMs + 1n
}
