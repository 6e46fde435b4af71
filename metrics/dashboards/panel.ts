/** A panel of a dashboard: lines over time, or the newest value of one expression. */
export interface Panel {
  title: string
  /** Explanation for the reader of the panel. */
  description?: string
  kind?: 'lines' | 'number'
  /** Grafana's name of the unit: `s`, `bytes`, `reqps`, `short`, `percentunit`, `d`. */
  unit: string
  /** PromQL with the legend of its series, such as `{{route}}`. */
  queries: readonly { expression: string; legend: string }[]
  /** Minimum value that turns the panel red. */
  redFrom?: number
  /** The panel is red below this value. */
  redBelow?: number
}

/** A dashboard of ops/grafana. */
export interface Dashboard {
  /** Stable id, which links contain. */
  uid: string
  title: string
  panels: readonly Panel[]
}
