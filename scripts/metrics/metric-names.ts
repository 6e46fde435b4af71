/** Words of PromQL that look like metrics of ours, and are none. */
const SUFFIX = /_(bucket|sum|count)$/

/**
 * The metrics that an expression of PromQL names, of a histogram without the ends of its series.
 * @example listMetricNames('sum(rate(taskmarket_write_stage_seconds_bucket[5m])) > 1') // ['taskmarket_write_stage_seconds']
 */
export function listMetricNames(expression: string, isKnown: (name: string) => boolean): string[] {
  const names = expression.match(/\b(taskmarket|ponder|process|nodejs)_[a-z0-9_]+\b/g) ?? []
  return [...new Set(names.map((name) => (isKnown(name) ? name : name.replace(SUFFIX, ''))))]
}

/**
 * Labels that an expression of PromQL matches, and those that are left of its series where it sums them up.
 * @example listLabels('sum by (status) (rate(a_total{route="x"}[5m]))') // { matched: ['route'], kept: ['status'] }
 */
export function listLabels(expression: string): { matched: string[]; kept: string[] | null } {
  const bareExpression = expression.replaceAll(/"[^"]*"/g, '""')
  const matchedLabels = [...bareExpression.matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, matchers = '']) => matchers.match(/\w+(?=\s*[=!])/g) ?? [],
  )
  const keptLabels = [...bareExpression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  )
  return {
    matched: matchedLabels,
    kept: /\b(sum|max|min|avg|count)\b *(by|\()/.test(bareExpression) ? keptLabels : null,
  }
}
