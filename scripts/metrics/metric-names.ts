/** Matches the ending that Prometheus adds to the name of a histogram for each of its series. */
const SUFFIX = /_(bucket|sum|count)$/

/**
 * Lists the metrics that a PromQL expression uses. A series of a histogram, such as `_bucket`, counts as the histogram.
 * @example listMetricNames('sum(rate(taskmarket_write_stage_seconds_bucket[5m])) > 1') //
 * ['taskmarket_write_stage_seconds']
 */
export function listMetricNames(expression: string, isKnown: (name: string) => boolean): string[] {
  const names = expression.match(/\b(taskmarket|ponder|process|nodejs)_[a-z0-9_]+\b/g) ?? []
  return [...new Set(names.map((name) => (isKnown(name) ? name : name.replace(SUFFIX, ''))))]
}

/**
 * Lists the labels that a PromQL expression filters by (`matched`), and the labels that remain after its aggregation
 * (`kept`). `kept` is null if the expression does not aggregate.
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
