import { html } from 'hono/html'
import type { Html } from './html.ts'

const WIDTH = 360
/** Width of the area at the right of the bars, in units of the SVG. The numbers of the grid lines are in this area. */
const GUTTER = 44
const HEIGHT = 130

/** The data of a bar chart. Each bar has a label and a stack of values. */
export interface Chart {
  title: string
  /** Unit of the numbers, as text. */
  unit: string
  /** Names of the parts of each bar. With only one name, each bar has one part, and there is no legend. */
  series: readonly string[]
  bars: readonly { label: string; values: readonly number[] }[]
  /** Formats a value for the table and the grid lines. */
  format(value: number): string
}

/** Renders a bar chart as SVG, with zero at the bottom. A table with the same numbers follows the chart. */
export function barChart(chart: Chart): Html {
  const { title, unit, bars } = chart
  if (bars.every(({ values }) => sum(values) === 0)) {
    return html`<figure><figcaption>${title} <small class="soft">${unit}</small></figcaption><p class="soft">Nothing to show yet.</p></figure>`
  }
  return html`<figure><figcaption>${title} <small class="soft">${unit}</small></figcaption>
${legend(chart)}${svg(chart)}
${table(chart)}</figure>`
}

function svg({ title, unit, bars, format }: Chart): Html {
  const top = niceTop(Math.max(...bars.map(({ values }) => sum(values))))
  const step = (WIDTH - GUTTER) / bars.length
  const width = Math.max(2, Math.min(20, step - 4))
  const [first, last] = [bars[0], bars.at(-1)]
  const label = `${title}, ${unit}: from ${first?.label} to ${last?.label}, ${format(sum(first?.values ?? []))} to ${format(sum(last?.values ?? []))}`
  return html`<svg viewBox="0 -12 ${WIDTH} ${HEIGHT + 32}" role="img" aria-label="${label}">
${[0, top / 2, top].map((value) => {
  const y = round(HEIGHT - (value / top) * HEIGHT)
  return html`<line class="grid" x1="0" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${WIDTH}" y="${y - 3}" text-anchor="end">${format(value)}</text>`
})}
${bars.map(({ values }, index) => stack(values, { x: round(index * step), width: round(width), top }))}
<text x="0" y="${HEIGHT + 16}">${first?.label}</text><text x="${WIDTH - GUTTER}" y="${HEIGHT + 16}" text-anchor="end">${last?.label}</text></svg>`
}

function stack(values: readonly number[], { x, width, top }: { x: number; width: number; top: number }): Html[] {
  let base = HEIGHT
  return values.flatMap((value, series) => {
    if (value <= 0) return []
    const height = Math.max(1, (value / top) * HEIGHT)
    base -= height
    return [
      html`<rect class="bar s${series}" x="${x}" y="${round(base)}" width="${width}" height="${round(height)}" rx="1"/>`,
    ]
  })
}

function legend({ series }: Chart): Html {
  if (series.length < 2) return html``
  return html`<ul class="legend">${series.map((name, index) => html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="bar s${index}" width="10" height="10" rx="2"/></svg> ${name}</li>`)}</ul>`
}

function table({ title, series, bars, format }: Chart): Html {
  const isStack = series.length > 1
  return html`<details><summary>Numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}, numbers"><table><thead><tr><th scope="col">Week of</th>${series.map((name) => html`<th scope="col" class="n">${name}</th>`)}${isStack ? html`<th scope="col" class="n">All</th>` : ''}</tr></thead><tbody>${bars
    .toReversed()
    .map(
      ({ label, values }) =>
        html`<tr><td>${label}</td>${values.map((value) => html`<td class="n">${format(value)}</td>`)}${isStack ? html`<td class="n">${format(sum(values))}</td>` : ''}</tr>`,
    )}</tbody></table></div></details>`
}

/** Returns a round number that is equal to or above `value`, for the top grid line. Example: `niceTop(43)` is 50. */
export function niceTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 4, 5, 8, 10].find((candidate) => candidate * power >= value) ?? 10
  return factor * power
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
