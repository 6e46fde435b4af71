import { type Clock, clockPriceAt } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'
import { find } from '../dom.ts'

/** Interval in milliseconds between two updates of the auction's price on the page. */
const STEP_MS = 1_000
/** Interval in milliseconds between two updates of the price, for visitors who prefer reduced motion. */
const CALM_STEP_MS = 60_000

/**
 * Moves the point on an auction's price curve, and updates the price beside the curve. The current time is the time of
 * the page's block plus the time since the page was loaded. An update of the page restarts the clock from the new
 * block. Example: a price that falls from 50 USDC to 47.30 USDC within 6 hours is shown as `49.999875` after one
 * second.
 */
export function startClock(): void {
  let since = performance.now()
  let point = find<SVGCircleElement>('[data-clock]')
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const step = () => {
    const currentPoint = find<SVGCircleElement>('[data-clock]')
    if (currentPoint !== point) since = performance.now()
    point = currentPoint
    if (point !== null) move(point, Math.floor((performance.now() - since) / 1000))
  }
  setInterval(step, isCalm ? CALM_STEP_MS : STEP_MS)
}

function move(point: SVGCircleElement, passedSeconds: number): void {
  const { clock, maximum = '0', clockPrice = '0', created = '0', rests = '0', end = '0', now = '0' } = point.dataset
  const { width = '0', height = '0' } = point.dataset
  if (clock !== 'dutch' && clock !== 'reverse_dutch') return
  const terms: Clock = {
    auctionType: clock,
    maximum: BigInt(maximum),
    clockPrice: BigInt(clockPrice),
    createdAt: BigInt(created),
    bidDeadline: BigInt(rests),
  }
  const time = Math.min(Number(now) + passedSeconds, Number(end))
  const price = clockPriceAt(terms, BigInt(time))
  const part = (time - Number(created)) / (Number(end) - Number(created))
  point.setAttribute('cx', (part * Number(width)).toFixed(2))
  point.setAttribute('cy', ((1 - Number(price) / Number(maximum)) * Number(height)).toFixed(2))
  const text = find('[data-price-now]')
  if (text !== null) text.textContent = usdcText(price)
}
