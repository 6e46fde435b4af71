/**
 * Returns the sort key of a new task in milliseconds (interface specification, "Transport"). The key is the time of the
 * task's block, or the previous task's key plus 1, whichever is greater.
 * Example: `nextCreatedAtMs(2000n, 2n)` is 2001n.
 */
export function nextCreatedAtMs(lastCreatedAtMs: bigint, blockTimestampSeconds: bigint): bigint {
  // Every task has a different key. A page that continues after an ISO time therefore never skips or repeats a task.
  const blockTimeMs = blockTimestampSeconds * 1000n
  return blockTimeMs > lastCreatedAtMs ? blockTimeMs : lastCreatedAtMs + 1n
}
