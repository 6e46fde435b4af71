import { expect, test } from 'vitest'
import { metricTable } from '../../../metrics/table.ts'
import { dashboards, toGrafana } from '../../../scripts/metrics/grafana.ts'
import { listMetricNames } from '../../../scripts/metrics/metric-names.ts'
import { readAlerts } from '../../../scripts/metrics/read-alerts.ts'

const isKnown = (name: string) => Object.hasOwn(metricTable, name)

test('every metric of ours is in a dashboard or an alert', () => {
  const queries = dashboards.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries))
  const expressions = [...queries, ...readAlerts()].map(({ expression }) => expression)
  const shown = new Set(expressions.flatMap((expression) => listMetricNames(expression, isKnown)))
  const unseen = Object.keys(metricTable).filter((name) => name.startsWith('taskmarket_') && !shown.has(name))
  expect(unseen).toEqual([])
})

test('panels do not overlap, fill the width at most, and have ids and letters of their own', () => {
  for (const dashboard of dashboards) {
    interface Shown {
      id: number
      gridPos: { x: number; y: number; w: number; h: number }
      targets: { refId: string }[]
    }
    const { panels } = toGrafana(dashboard) as { panels: Shown[] }
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { targets } of panels) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
  }
})
