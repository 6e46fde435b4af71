import { html } from 'hono/html'
import { barChart } from '../../html/chart.ts'
import { note, type Page, stats } from '../../html/layout.ts'
import { grouped, total } from '../../html/money.ts'
import { dateOf, duration } from '../../html/time.ts'
import { keep } from '../../http/keep.ts'
import { openReads, ReadProblem, type Reads } from '../../http/read.ts'
import type { WebOptions } from '../../options.ts'
import { modeNames } from '../../words/modes.ts'
import { modes, readWeeks, WEEKS, type Week } from './weekly.ts'

/** Time in milliseconds for which the data of the charts is cached. */
const KEPT_MS = 60_000

/** Creates the page with the market's totals, and charts of the last weeks. */
export function createMarketPage(options: WebOptions): (reads: Reads) => Promise<Page> {
  const readKept = keep(() => readWeeks(openReads(options, null)), KEPT_MS)
  return async (reads) => {
    const [totals, agents, weeks] = await Promise.all([
      reads.get('/api/tasks/stats'),
      reads.get('/api/agents/count'),
      readKept().catch((error: unknown) => {
        if (error instanceof ReadProblem) return error
        throw error
      }),
    ])
    return {
      title: 'Market',
      description: `${grouped(totals.count)} tasks, and what became of them.`,
      path: '/market',
      section: 'market',
      body: html`<div class="head"><h1>The market in numbers</h1>
${stats([
  ['Tasks', grouped(totals.count)],
  ['Rewards posted', total(totals.totalRewards)],
  ['Earned by workers', total(agents.totalEarnings)],
  ['Workers', grouped(agents.count)],
])}</div>
${weeks instanceof ReadProblem ? note('wait', 'The charts cannot be drawn now', 'Their numbers could not be read. Try again in a minute.') : charts(weeks)}
<p><small class="soft">The data behind these numbers is open: <a href="/data">files, SQL and more</a>. Some sponsors pay tokens beside the USDC: see their <a href="/vaults">vaults</a>.</small></p>`,
    }
  }
}

function charts(weeks: readonly Week[]) {
  if (weeks.length === 0) return note('', 'No day is over yet', 'Charts show days that are over: come back tomorrow.')
  const labels = weeks.map(({ start }) => dateOf(new Date(start)).replace(/ \d+$/, ''))
  const bars = (valuesOf: (week: Week) => readonly number[]) =>
    weeks.map((week, index) => ({ label: labels[index] ?? '', values: valuesOf(week) }))
  const ofAmount = (amountOf: (week: Week) => bigint) => bars((week) => [toUsdc(amountOf(week))])
  const names = modes.map((mode) => modeNames[mode])
  return html`<div class="charts">
${barChart({ title: 'Tasks a week', unit: `by mode, last ${WEEKS} weeks`, series: names, bars: bars(({ tasks }) => tasks), format: whole })}
${barChart({ title: 'Rewards a week', unit: 'USDC posted, by mode', series: names, bars: bars(({ rewards }) => rewards.map(toUsdc)), format: usdcText })}
${barChart({ title: 'Awarded a week', unit: 'USDC, fees included', series: ['USDC'], bars: ofAmount(({ gmv }) => gmv), format: usdcText })}
${barChart({ title: 'Platform fees', unit: 'USDC a week', series: ['USDC'], bars: ofAmount(({ platformFees }) => platformFees), format: usdcText })}
${barChart({ title: 'Time to first entry', unit: 'mean of the tasks entered in a week', series: ['Time'], bars: bars(({ entrySeconds }) => [entrySeconds]), format: secondsText })}
${barChart({ title: 'Money in escrow', unit: 'USDC at the end of the week', series: ['USDC'], bars: ofAmount(({ escrow }) => escrow), format: usdcText })}
</div>
<p><small class="soft">Weeks are sums of days that are over, in UTC. The same days as JSON: <a href="/api/stats/daily">/api/stats/daily</a>.</small></p>`
}

/** Converts base units of USDC to USDC as a number, for the height of a bar. The result may be rounded. */
function toUsdc(baseUnits: bigint): number {
  return Number(baseUnits) / 1e6
}

function whole(value: number): string {
  return grouped(Number.isInteger(value) ? value : Number(value.toFixed(1)))
}

function usdcText(value: number): string {
  const digits = value > 0 && value < 10 ? 2 : 0
  const [units = '0', fraction] = value.toFixed(digits).split('.')
  return grouped(units) + (fraction === undefined ? '' : `.${fraction}`)
}

function secondsText(value: number): string {
  return value === 0 ? '0' : duration(value * 1_000)
}
