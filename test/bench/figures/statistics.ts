/** A median of a sample, with the interval that holds it in 95 of 100 resamples. */
export interface Estimate {
  median: number
  low: number
  high: number
}

const resamples = 4_000

/** @param random numbers in [0, 1); a seeded one makes the interval repeatable */
export function estimateMedian(sample: readonly number[], random: () => number): Estimate {
  const medians = Array.from({ length: resamples }, () =>
    medianOf(sample.map(() => sample[Math.floor(random() * sample.length)] ?? Number.NaN)),
  )
  return {
    median: medianOf(sample),
    low: quantileOf(medians, 0.025),
    high: quantileOf(medians, 0.975),
  }
}

export function medianOf(sample: readonly number[]): number {
  return quantileOf(sample, 0.5)
}

/** Interpolated between the two nearest. */
export function quantileOf(sample: readonly number[], quantile: number): number {
  const sorted = sample.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * quantile
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]]
  if (below === undefined || above === undefined) throw new Error('a quantile of nothing')
  return below + (above - below) * (position - Math.floor(position))
}

/** Mulberry32: small, and good enough to shuffle and resample with. */
export function createSeededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `12.3 [11.9, 12.8]`: the median and its 95 % interval. */
export function show({ median, low, high }: Estimate): string {
  const digits = Math.abs(median) < 10 ? 2 : 1
  return `${median.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]`
}
