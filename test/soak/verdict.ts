import { medianOf } from '../bench/figures/statistics.ts'

/** One value of a measure. */
export interface Sample {
  /** Since the start of the run. */
  minute: number
  value: number
  /** The process that it is about, of which a restart makes another one. */
  life: number
}

/** The bounds of a measure. */
export type Rule =
  /** It never exceeds this. */
  | { most: number }
  /** It grows by at most `absolute`, and this share of its median, between the first and the last judged value. */
  | { growth: { absolute: number; relative: number } }

/** A measure after the run, judged. */
export interface Verdict {
  name: string
  isPassed: boolean
  /** Number of values that it was judged by. */
  count: number
  /** First and last judged values, or their trend's where there is one. */
  from: number
  to: number
  /** What it grew by, or its highest value. */
  measured: number
  allowed: number
}

/** Values that are enough to see a growth. */
const FEWEST = 6
/** Shortest time between two values whose slope counts, as a share of the longest life. */
const SHORTEST_GAP = 0.25

/**
 * Judges a measure.
 * @param warmUpMinutes how long each life may fill its caches: its values of that time do not count for growth
 */
export function judge(
  name: string,
  samples: readonly Sample[],
  { rule, warmUpMinutes }: { rule: Rule; warmUpMinutes: number },
): Verdict {
  if ('most' in rule) return judgeHighest(name, samples, rule.most)
  return judgeGrowth(name, afterWarmUp(samples, warmUpMinutes), rule.growth)
}

function judgeHighest(name: string, samples: readonly Sample[], most: number): Verdict {
  const values = samples.map(({ value }) => value)
  const highest = Math.max(...values)
  const [from = Number.NaN, to = Number.NaN] = [values[0], values.at(-1)]
  return {
    name,
    isPassed: highest <= most && values.length > 0,
    count: values.length,
    from,
    to,
    measured: highest,
    allowed: most,
  }
}

/**
 * The trend is the median of the slopes between any two values of one life (Theil and Sen), which single values do not move
 * and restarts do not hide; it counts over the longest life. Without enough values nothing has passed.
 */
function judgeGrowth(
  name: string,
  samples: readonly Sample[],
  { absolute, relative }: { absolute: number; relative: number },
): Verdict {
  const lives = livesOf(samples)
  const longest = Math.max(0, ...lives.map(spanOf))
  const slopes = lives.flatMap((life) => slopesOf(life, longest * SHORTEST_GAP))
  if (samples.length < FEWEST || slopes.length === 0) {
    return {
      name,
      isPassed: false,
      count: samples.length,
      from: Number.NaN,
      to: Number.NaN,
      measured: Number.NaN,
      allowed: absolute,
    }
  }
  const middle = medianOf(samples.map(({ value }) => value))
  const growth = medianOf(slopes) * longest
  const allowed = absolute + relative * middle
  const [from, to] = [middle - growth / 2, middle + growth / 2]
  return { name, isPassed: growth <= allowed, count: samples.length, from, to, measured: growth, allowed }
}

/** Without the first values of each life. */
function afterWarmUp(samples: readonly Sample[], warmUpMinutes: number): Sample[] {
  const lives = livesOf(samples)
  return lives.flatMap((life) => {
    const [first] = life
    return first === undefined ? [] : life.filter(({ minute }) => minute - first.minute >= warmUpMinutes)
  })
}

/** The values of each process, in order. */
function livesOf(samples: readonly Sample[]): Sample[][] {
  const lives = new Map<number, Sample[]>()
  for (const sample of samples) lives.set(sample.life, [...(lives.get(sample.life) ?? []), sample])
  return [...lives.values()]
}

function spanOf(life: readonly Sample[]): number {
  const minutes = life.map(({ minute }) => minute)
  return Math.max(...minutes) - Math.min(...minutes)
}

function slopesOf(life: readonly Sample[], shortestGap: number): number[] {
  return life.flatMap((later, index) =>
    life
      .slice(0, index)
      .filter(({ minute }) => later.minute > minute && later.minute - minute >= shortestGap)
      .map((earlier) => (later.value - earlier.value) / (later.minute - earlier.minute)),
  )
}
