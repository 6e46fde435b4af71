/** A panel of a dashboard. It shows lines over time, or with the kind `number` the latest value of one expression. */
export interface Panel {
  title: string
  /** An explanation that the panel shows. */
  description?: string
  kind?: 'lines' | 'number'
  /** The name of the unit in Grafana: `s`, `bytes`, `reqps`, `short`, `percentunit` or `d`. */
  unit: string
  /** The PromQL expressions, each with the legend of its series, such as `{{route}}`. */
  queries: readonly { expression: string; legend: string }[]
  /** The panel is red from this value on. */
  redFrom?: number
  /** The panel is red below this value. */
  redBelow?: number
}

/** A dashboard. A script generates a file in ops/grafana from it. */
export interface Dashboard {
  /** An id that never changes, because links contain it. */
  uid: string
  title: string
  panels: readonly Panel[]
}
