/**
 * The paging key of a new task, in milliseconds: its block's time, but more than the task before it, so that an ISO
 * cursor neither loses nor repeats one. Interface document, "Transport".
 */
export function nextCreatedAtMs(lastCreatedAtMs: bigint, blockTimestampSeconds: bigint): bigint {
  const blockTimeMs = blockTimestampSeconds * 1000n
  return blockTimeMs > lastCreatedAtMs ? blockTimeMs : lastCreatedAtMs + 1n
}
