import { clockOf, clockPriceAt } from '../../../protocol/clock-price.ts'
import { clockTypes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, needsOpenEntries, payerMayEnter, refuseOwnAuction, untilExpiry } from './action-rule.ts'

export interface AuctionAcceptArgs {
  /** The lowest price that the worker accepts, in USDC base units; absent: the worker accepts any clock price. */
  minPrice?: bigint | undefined
}

/**
 * The rule by which a worker gets the task of a dutch or reverse dutch auction. The first worker who accepts the clock
 * price gets the task. See the specification, "Claim, pitches, bids, proofs".
 */
export const acceptClockPrice: ActionRule<AuctionAcceptArgs> = {
  action: 'auction_accept',
  modes: ['auction'],
  auctionTypes: clockTypes,
  denial: 'has no clock price to accept',
  statuses: ['open'],
  moves: ['TaskWorkerSelected'],
  fee: ACTION_FEE,
  eligible: () => [{ role: 'worker', address: null }],
  window: untilExpiry,
  blocked: needsOpenEntries,
  check: (task, { actor, now, args: { minPrice } }) =>
    payerMayEnter(task, actor) ?? refuseOwnAuction(task, actor) ?? needsClockPrice(task, { minPrice, now }),
  offeredAs: ({ id }) => [{ command: `task auction-accept ${id} --min-price <usdc>` }],
}

function needsClockPrice(
  task: TaskSnapshot,
  { minPrice, now }: { minPrice: bigint | undefined; now: bigint },
): Refusal | null {
  const clock = clockOf(task)
  if (clock === null || minPrice === undefined) return null
  const price = clockPriceAt(clock, now)
  if (price >= minPrice) return null
  const hope = clock.auctionType === 'dutch' ? 'it only falls' : 'it rises until the bid deadline'
  return refuse(409, 'price_below_minimum', `The clock price is ${price} base units, below ${minPrice}; ${hope}.`, {
    field: 'minPrice',
  })
}
