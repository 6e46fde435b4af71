import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import type { AttackResult } from './measure.ts'

/** Lists the figures of the results. */
export function figuresOf(results: readonly AttackResult[]): Figure[] {
  return results.flatMap(({ name, most, quietP99, attackedP99, ratio }) => [
    estimated(`plain writes beside ${name}, p95 by quiet`, ratio, { most }),
    counted(`their p99 beside ${name}, ms`, attackedP99),
    counted(`their quiet p99 before ${name}, ms`, quietP99),
  ])
}
