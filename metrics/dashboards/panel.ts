/** A panel of a dashboard: lines over time, or the newest value of one expression. */
export interface Panel {
  title: string
  /** Explains the panel to the person who looks at it. */
  description?: string
  kind?: 'lines' | 'number'
  /** Grafana's name of the unit: `s`, `bytes`, `reqps`, `short`, `percentunit`, `d`. */
  unit: string
  /** PromQL with the legend of its series, such as `{{route}}`. */
  queries: readonly { expression: string; legend: string }[]
  /** From this value on the panel is red. */
  redFrom?: number
  /** Below this value the panel is red. */
  redBelow?: number
}

/** A dashboard of ops/grafana. */
export interface Dashboard {
  /** Stays the same, so that links to it do. */
  uid: string
  title: string
  panels: readonly Panel[]
}
