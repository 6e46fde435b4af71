import { show } from '../figures/statistics.ts'
import type { AttackResult } from './measure.ts'

/** The table a person reads. */
export function toTable(results: readonly AttackResult[]): string {
  return results
    .map(({ name, most, quiet, attacked, ratio }) => {
      const isMet = ratio.median < most
      const measured = `${show(ratio)}; ${attacked.p95.toFixed(0)} ms by ${quiet.p95.toFixed(0)} ms, n ${attacked.count}`
      const medians = `p50 ${attacked.p50.toFixed(0)} ms by ${quiet.p50.toFixed(0)} ms`
      return `${isMet ? 'met   ' : 'MISSED'} p95 of plain writes under attack by quiet, ${name}  < ${most}  ${measured}; ${medians}; p99 ${attacked.p99.toFixed(0)} ms by ${quiet.p99.toFixed(0)} ms`
    })
    .join('\n')
}
