import { html } from 'hono/html'
import type { Child } from '../../html/html.ts'
import { dateTime } from '../../html/time.ts'
import type { TaskDetail } from '../../http/rows.ts'
import { amount } from '../../words/amount.ts'

const WIDTH = 320
const HEIGHT = 90

/**
 * Renders the price of a falling or rising auction as a curve, with a point at the current price. A script moves the
 * point. The attributes of the point contain what the script needs: the auction's terms and the chain's time.
 * @param now the chain's time, in Unix milliseconds
 */
export function clockCurve(task: TaskDetail, now: number): Child {
  const { auctionType, currentAuctionPrice } = task
  if (currentAuctionPrice === null || (auctionType !== 'dutch' && auctionType !== 'reverse_dutch')) return null
  const isFalling = auctionType === 'dutch'
  const restsAt = isFalling ? task.auctionPriceReachesFloorAt : task.auctionPriceReachesMaxAt
  const from = Number(isFalling ? task.reward : task.auctionStartPrice)
  const to = Number(isFalling ? task.auctionFloorPrice : task.reward)
  if (restsAt === null || !Number.isFinite(from) || !Number.isFinite(to)) return null
  // The contract counts whole seconds.
  const start = Math.floor(Date.parse(task.createdAt) / 1000) * 1000
  const turn = Date.parse(restsAt)
  const end = Math.max(Date.parse(task.expiryTime), turn + 1)
  const top = Math.max(from, to)
  const x = (time: number) => tenth(((Math.min(Math.max(time, start), end) - start) / (end - start)) * WIDTH)
  const y = (price: number) => tenth(HEIGHT - (price / top) * HEIGHT)
  const verb = isFalling ? 'falls' : 'rises'
  const label = `The price ${verb} from ${amount(String(from), 6)} to ${amount(String(to), 6)} USDC until ${dateTime(restsAt)} UTC; now ${amount(currentAuctionPrice, 6)} USDC`
  return html`<figure class="clock"><svg viewBox="-6 -14 ${WIDTH + 12} ${HEIGHT + 32}" role="img" aria-label="${label}" >
<line class="grid" x1="0" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}"/>
<polyline class="curve" points="${x(start)},${y(from)} ${x(turn)},${y(to)} ${x(end)},${y(to)}"/>
<circle class="dot" cx="${x(now)}" cy="${y(Number(currentAuctionPrice))}" r="5" data-clock="${auctionType}" data-maximum="${task.reward}" data-clock-price="${isFalling ? task.auctionFloorPrice : task.auctionStartPrice}" data-created="${start / 1000}" data-rests="${turn / 1000}" data-end="${end / 1000}" data-now="${Math.floor(now / 1000)}" data-width="${WIDTH}" data-height="${HEIGHT}"/>
<text x="0" y="${HEIGHT + 14}">posted</text><text x="${WIDTH}" y="${HEIGHT + 14}" text-anchor="end">ends</text>
</svg><figcaption><small class="soft">The price ${verb} to ${amount(String(to), 6)} USDC until ${dateTime(restsAt)} UTC.</small></figcaption></figure>`
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}
