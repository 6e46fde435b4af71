import { clockPriceFields } from '../../../protocol/clock-price.ts'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'
import type { Detail } from '../../../protocol/details.ts'
import { isClockType } from '../../../protocol/rules/selectors.ts'
import { MAX_REWARD, MIN_REWARD } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'

type PriceField = 'maxPrice' | 'auctionStartPrice' | 'auctionFloorPrice'

/**
 * Checks the reward, the auction prices and the stake of a new task. Returns the refusal of the first wrong value, or
 * null if all values are accepted.
 */
export function refusePrices(terms: TaskTerms): Refusal | null {
  return refuseReward(terms) ?? refuseZeroPrices(terms) ?? refuseAuctionPrices(terms) ?? refuseStake(terms)
}

function refuseReward({ reward }: TaskTerms): Refusal | null {
  if (reward < MIN_REWARD) return refuseField('reward', 'reward_too_low', `must be at least ${MIN_REWARD} base units`)
  if (reward > MAX_REWARD) return refuseField('reward', 'reward_too_high', `must be at most ${MAX_REWARD} base units`)
  return null
}

function refuseZeroPrices(terms: TaskTerms): Refusal | null {
  const fields: PriceField[] = ['maxPrice', 'auctionStartPrice', 'auctionFloorPrice']
  const zero = fields.find((field) => terms[field] === 0n)
  return zero === undefined ? null : refuseField(zero, 'zero_price', 'must be more than 0')
}

function refuseAuctionPrices(terms: TaskTerms): Refusal | null {
  const { mode, auctionType, reward, maxPrice } = terms
  if (mode !== 'auction') return null
  if (auctionType === undefined) return refuseField('auctionType', 'auction_type_missing', 'is required in an auction')
  if (maxPrice !== reward) {
    return refuseField('maxPrice', 'max_price_not_reward', 'must be given in an auction and equal the reward')
  }
  if (!isClockType(auctionType)) return null
  const field = clockPriceFields[auctionType]
  const price = terms[field]
  if (price === undefined) return refuseField(field, 'clock_price_missing', `is required in a ${auctionType} auction`)
  return price > reward ? refuseField(field, 'clock_price_above_reward', 'must be at most the reward') : null
}

function refuseStake({ mode, stakeRequired, stakeBps }: TaskTerms): Refusal | null {
  if (!stakeRequired) {
    return stakeBps === 0 ? null : refuseField('stakeBps', 'stake_not_required', 'is for tasks with stakeRequired only')
  }
  if (mode !== 'claim') return refuseField('stakeRequired', 'stake_outside_claim', 'is for claim mode only')
  return stakeBps === 0
    ? refuseField('stakeBps', 'stake_missing', 'must be more than 0 when a stake is required')
    : null
}

function refuseField(field: string, failure: Detail, rule: string): Refusal {
  return refuse(400, failure, `${field} ${rule}.`, { field })
}
