import { type Figure, type Goal, isMet } from '../../../scripts/figures/figure.ts'
import { type Estimate, show } from './statistics.ts'

/** Makes the figure of an estimate. */
export function estimated(name: string, { median, low, high }: Estimate, goal?: Goal): Figure {
  return { name, median, low, high, ...(goal !== undefined && { goal }) }
}

/** Makes the figure of one number. */
export function counted(name: string, median: number, goal?: Goal): Figure {
  return { name, median, ...(goal !== undefined && { goal }) }
}

/** Renders a line for each figure, and in it whether its goal is met. */
export function toLines(figures: readonly Figure[]): string[] {
  return figures.map((figure) => {
    const { name, goal } = figure
    const text = goal === undefined ? '' : 'most' in goal ? `<= ${goal.most}` : `>= ${goal.least}`
    return `${verdictOf(figure)} ${name.padEnd(66)} ${text.padEnd(8)} ${measured(figure)}`
  })
}

function measured({ median, low, high }: Figure): string {
  if (low === undefined || high === undefined) return String(Number(median.toPrecision(5)))
  return show({ median, low, high })
}

function verdictOf(figure: Figure): string {
  const met = isMet(figure)
  if (met === null) return '      '
  return met ? 'met   ' : 'MISSED'
}
