/** Words of PromQL that look like metrics of ours, and are none. */
const SUFFIX = /_(bucket|sum|count)$/

/**
 * The metrics that an expression of PromQL names, of a histogram without the ends of its series.
 * @example listMetricNames('sum(rate(taskmarket_write_stage_seconds_bucket[5m])) > 1') // ['taskmarket_write_stage_seconds']
 */
export function listMetricNames(expression: string, known: (name: string) => boolean): string[] {
  const names = expression.match(/\b(taskmarket|ponder|process|nodejs)_[a-z0-9_]+\b/g) ?? []
  return [...new Set(names.map((name) => (known(name) ? name : name.replace(SUFFIX, ''))))]
}
