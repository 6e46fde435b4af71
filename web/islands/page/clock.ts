import { type Clock, clockPriceAt } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'
import { find } from '../dom.ts'

/**
 * Interval between two steps, milliseconds. The price changes each second; visitors with reduced motion see one step a minute.
 */
const STEP_MS = 1_000
const CALM_STEP_MS = 60_000

/**
 * Moves the point of an auction's curve and the price beside it by the chain's clock: the time of the page's block plus the
 * elapsed time. A replaced page starts again with its own block.
 * Example: a price that falls from 50 USDC shows `49.917014` after some minutes.
 */
export function startClock(): void {
  let since = performance.now()
  let point = find<SVGCircleElement>('[data-clock]')
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const step = () => {
    const current = find<SVGCircleElement>('[data-clock]')
    if (current !== point) since = performance.now()
    point = current
    if (point !== null) move(point, Math.floor((performance.now() - since) / 1000))
  }
  setInterval(step, isCalm ? CALM_STEP_MS : STEP_MS)
}

function move(point: SVGCircleElement, passed: number): void {
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
  const time = Math.min(Number(now) + passed, Number(end))
  const price = clockPriceAt(terms, BigInt(time))
  const part = (time - Number(created)) / (Number(end) - Number(created))
  point.setAttribute('cx', (part * Number(width)).toFixed(2))
  point.setAttribute('cy', ((1 - Number(price) / Number(maximum)) * Number(height)).toFixed(2))
  const text = find('[data-price-now]')
  if (text !== null) text.textContent = usdcText(price)
}
