import { MAX_REWARD, MIN_BID } from '../../../../api/domain/limits.ts'
import { clockPriceAt } from '../../../../protocol/clock-price.ts'
import { type Attempts, type Occasion, withoutArgs } from './attempt.ts'

/** Prices at, above and below every bound of a bid. */
export const bid: Attempts<{ price: bigint }> = {
  sensible: ({ task, actor }) => {
    const present = task.auctionType === 'english' ? task.lowestBid : (task.entries.get(actor)?.bid ?? null)
    return [{ price: present === null ? task.reward : present - 1n }].filter(({ price }) => price >= MIN_BID)
  },
  any: ({ task, actor, random }) => {
    const own = task.entries.get(actor)?.bid ?? task.reward
    const edge = random.pick([task.lowestBid ?? task.reward, own, task.reward, MIN_BID, 1n, MAX_REWARD])
    const price = edge + random.pick([-1n, 0n, 1n])
    return { price: price < 1n ? 1n : price }
  },
  call: ({ task }, { price }) => ['submitBid', [task.id, price]],
}

/** Prices at, above and below the clock price. */
export const auctionAccept: Attempts<{ minPrice?: bigint | undefined }> = {
  sensible: () => [{}],
  any: (occasion) => {
    const price = clockPriceOf(occasion)
    return { minPrice: occasion.random.pick([null, price, price - 1n, price + 1n, 2n ** 96n - 1n]) ?? undefined }
  },
  call: ({ task }, { minPrice }) => ['acceptAuction', [task.id, minPrice ?? 0n]],
}

export const selectWinner = withoutArgs(({ id }) => ['selectLowestBidder', [id]])

function clockPriceOf({ task, now }: Occasion): bigint {
  const { auctionType, clockPrice, createdAt, bidDeadline, reward } = task
  if (auctionType !== 'dutch' && auctionType !== 'reverse_dutch') return reward
  if (clockPrice === null || bidDeadline === null) throw new Error('a clock auction without a clock price')
  return clockPriceAt({ auctionType, maximum: reward, clockPrice, createdAt, bidDeadline }, now)
}
