import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Metric } from './metric.ts'
import { metricTable } from './table.ts'

type Table = typeof metricTable
type NameOf<Type extends Metric['type']> = {
  [Name in keyof Table]: Table[Name] extends { source: string }
    ? never
    : Table[Name]['type'] extends Type
      ? Name
      : never
}[keyof Table]
type LabelOf<Name extends keyof Table> = Table[Name] extends { labels: infer Labels } ? keyof Labels & string : never

/**
 * Creates Prometheus instruments by metric name. The name, help text and labels of a metric come only from
 * `metricTable`.
 */
export interface Instruments {
  counter<Name extends NameOf<'counter'>>(name: Name, collect?: () => void | Promise<void>): Counter<LabelOf<Name>>
  /**
   * Creates a gauge.
   * @param collect is called at each scrape, before the gauge is read
   */
  gauge<Name extends NameOf<'gauge'>>(name: Name, collect?: () => void | Promise<void>): Gauge<LabelOf<Name>>
  histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<LabelOf<Name>>
}

/**
 * Returns functions that create instruments and register them in the registry.
 * @example instrumentsOf(registry).counter('taskmarket_reorgs_seen_total').inc()
 */
export function instrumentsOf(registry: Registry): Instruments {
  const optionsOf = <Name extends keyof Table>(name: Name, collect?: () => void | Promise<void>) => {
    const { meaning, labels = {}, buckets }: Metric = metricTable[name]
    return {
      name,
      help: meaning,
      labelNames: Object.keys(labels) as LabelOf<Name>[],
      registers: [registry],
      ...(buckets === undefined ? {} : { buckets: [...buckets] }),
      ...(collect === undefined ? {} : { collect }),
    }
  }
  return {
    counter: (name, collect) => new Counter(optionsOf(name, collect)),
    gauge: (name, collect) => new Gauge(optionsOf(name, collect)),
    histogram: (name) => new Histogram(optionsOf(name)),
  }
}
