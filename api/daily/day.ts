/** A day in UTC. */
export interface Day {
  /** The date. Example: `2030-01-31`. */
  date: string
  /** The first second of the day, in Unix seconds. */
  begin: bigint
  /** The first second of the next day, in Unix seconds. */
  end: bigint
}

const DAY_SECONDS = 86_400n

/**
 * Returns the UTC day that contains a time in Unix seconds. Example: `dayAt(1_893_456_001n).begin` is `1893456000n`.
 */
export function dayAt(seconds: bigint): Day {
  const begin = seconds - (seconds % DAY_SECONDS)
  return { date: new Date(Number(begin) * 1000).toISOString().slice(0, 10), begin, end: begin + DAY_SECONDS }
}

/** Returns the UTC day with a date. Example: `dayOf('2030-01-31').begin` is `1896048000n`. */
export function dayOf(date: string): Day {
  return dayAt(BigInt(Date.parse(`${date}T00:00:00Z`)) / 1000n)
}
