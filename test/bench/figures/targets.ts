/** What a figure should be, and whether it is. */
export interface Target {
  figure: string
  /** The figure itself, as it is compared. */
  value: number
  /** With its interval, for people. */
  measured: string
  limit: { most: number } | { least: number }
}

/** A line for each, and in it whether the target is met. */
export function toLines(targets: readonly Target[]): string[] {
  return targets.map((target) => {
    const { figure, measured, limit } = target
    const text = 'most' in limit ? `<= ${limit.most}` : `>= ${limit.least}`
    return `${isMet(target) ? 'met   ' : 'MISSED'} ${figure.padEnd(58)} ${text.padEnd(8)} ${measured}`
  })
}

/** As they are kept with the results. */
export function toRecords(targets: readonly Target[]) {
  return targets.map((target) => ({
    figure: target.figure,
    value: target.value,
    ...target.limit,
    isMet: isMet(target),
  }))
}

function isMet({ value, limit }: Target): boolean {
  return 'most' in limit ? value <= limit.most : value >= limit.least
}
