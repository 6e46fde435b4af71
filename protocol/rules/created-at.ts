/**
 * Returns the sort key of a new task in milliseconds: its block's time, or the previous task's key plus 1 if that is
 * greater. Every task has a different key, so a page that continues after an ISO time neither skips nor repeats a task
 * (interface specification, "Transport").
 * Example: `nextCreatedAtMs(2000n, 2n)` is 2001n.
 */
export function nextCreatedAtMs(lastCreatedAtMs: bigint, blockTimestampSeconds: bigint): bigint {
  const blockTimeMs = blockTimestampSeconds * 1000n
  return blockTimeMs > lastCreatedAtMs ? blockTimeMs : lastCreatedAtMs + 1n
}
