/** A day in UTC. */
export interface Day {
  /** The date. Example: `2030-01-31`. */
  date: string
  /** The first second, and that of the next day, Unix seconds. */
  begin: bigint
  end: bigint
}

const DAY_SECONDS = 86_400n

/** Returns the day of a time. Example: `dayAt(1_893_456_001n).begin` is `1893456000n`. */
export function dayAt(seconds: bigint): Day {
  const begin = seconds - (seconds % DAY_SECONDS)
  return { date: new Date(Number(begin) * 1000).toISOString().slice(0, 10), begin, end: begin + DAY_SECONDS }
}

/** Returns the day of a date. Example: `dayOf('2030-01-31').begin` is `1896048000n`. */
export function dayOf(date: string): Day {
  return dayAt(BigInt(Date.parse(`${date}T00:00:00Z`)) / 1000n)
}
