import { show } from '../figures/statistics.ts'
import type { AttackResult } from './measure.ts'

/** The table a person reads. */
export function toTable(results: readonly AttackResult[]): string {
  return results
    .map(({ name, quiet, attacked, ratio }) => {
      const isMet = ratio.median < 3
      const measured = `${show(ratio)}; ${attacked.p95.toFixed(0)} ms by ${quiet.p95.toFixed(0)} ms, n ${attacked.count}`
      const medians = `p50 ${attacked.p50.toFixed(0)} ms by ${quiet.p50.toFixed(0)} ms`
      return `${isMet ? 'met   ' : 'MISSED'} p95 of plain writes under attack by quiet, ${name}  < 3  ${measured}; ${medians}`
    })
    .join('\n')
}
