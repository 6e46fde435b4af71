import { indexer } from '../../metrics/dashboards/indexer.ts'
import { money } from '../../metrics/dashboards/money.ts'
import { overview } from '../../metrics/dashboards/overview.ts'
import type { Dashboard, Panel } from '../../metrics/dashboards/panel.ts'
import { reads } from '../../metrics/dashboards/reads.ts'
import { writes } from '../../metrics/dashboards/writes.ts'

export const dashboards: readonly Dashboard[] = [overview, writes, reads, indexer, money]

/** Version of the format for dashboards. It is the version of Grafana 11. Newer Grafana versions also read it. */
const SCHEMA_VERSION = 39
/** Width of a dashboard, in columns of Grafana's grid. `LINES` and `NUMBER` are the sizes of panels in this grid. */
const GRID = 24
const LINES = { w: 12, h: 8 }
const NUMBER = { w: 6, h: 4 }

/** The data source of every panel. The person who opens a dashboard chooses the Prometheus server. */
const datasource = { type: 'prometheus', uid: '$datasource' }

/** Returns a dashboard in the JSON form that Grafana imports. */
export function toGrafana({ uid, title, panels }: Dashboard): object {
  return {
    uid,
    title,
    tags: ['taskmarket'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {} }],
    },
    panels: place(panels).map(({ panel, gridPos }, index) => toPanel(panel, { id: index + 1, gridPos })),
  }
}

interface Place {
  x: number
  y: number
  w: number
  h: number
}

/**
 * Computes the positions of panels. Panels stand side by side. A new line begins if the next panel does not fit or has
 * another height.
 */
function place(panels: readonly Panel[]): { panel: Panel; gridPos: Place }[] {
  let [x, y, height] = [0, 0, 0]
  return panels.map((panel) => {
    const { w, h } = panel.kind === 'number' ? NUMBER : LINES
    if (x + w > GRID || (height > 0 && h !== height)) {
      y += height
      x = 0
    }
    height = h
    const gridPos = { x, y, w, h }
    x += w
    return { panel, gridPos }
  })
}

function toPanel(panel: Panel, { id, gridPos }: { id: number; gridPos: Place }): object {
  const { title, description, kind = 'lines', unit, queries, redFrom, redBelow } = panel
  const hasThreshold = redFrom !== undefined || redBelow !== undefined
  const steps =
    redBelow === undefined
      ? [{ color: 'green', value: null }, ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }])]
      : [
          { color: 'red', value: null },
          { color: 'green', value: redBelow },
        ]
  const customFields = { fillOpacity: 10, thresholdsStyle: { mode: hasThreshold ? 'dashed' : 'off' } }
  return {
    id,
    type: kind === 'number' ? 'stat' : 'timeseries',
    title,
    ...(description === undefined ? {} : { description }),
    datasource,
    gridPos,
    fieldConfig: {
      defaults: { unit, thresholds: { mode: 'absolute', steps }, ...(kind === 'lines' && { custom: customFields }) },
      overrides: [],
    },
    options:
      kind === 'number'
        ? {
            reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
            colorMode: 'value',
            graphMode: 'area',
          }
        : {
            legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
            tooltip: { mode: 'multi', sort: 'desc' },
          },
    targets: queries.map(({ expression, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr: expression,
      legendFormat: legend,
    })),
  }
}
