import { type Hex, zeroAddress } from 'viem'
import { type AuctionType, toAuctionSelector, toModeSelector } from '../../../protocol/rules/selectors.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Random } from '../indexer/random.ts'
import { aBounty, createTasks, send } from './bounties.ts'
import { wallets } from './wallets.ts'

/** Maximum seconds from creation to the bid deadline, and from there to the expiry. */
const LONGEST = 5000

/** Open clock auctions of both subtypes: steep ones, flat ones, and some with a constant price before they expire. */
export async function makeClocks(chain: MarketChain, random: Random, count: number): Promise<Hex[]> {
  const created = await createTasks(
    chain,
    Array.from({ length: count }, () => {
      const reward = random.pick([1000n, 1001n, 123_457n])
      const bidDuration = 50 + random.below(LONGEST - 50)
      const terms = aBounty({ reward, duration: bidDuration + random.below(LONGEST) })
      const clockPrice = 1n + BigInt(random.below(Number(reward)))
      const kind = anAuctionOf(random.pick(['dutch', 'reverse_dutch']))
      return { requester: random.pick(wallets), terms: { ...terms, ...kind, bidDuration, clockPrice } }
    }),
  )
  return created.map(({ id }) => id)
}

/** `count` bids of one wallet, each a base unit lower. */
export async function fillWithBids(chain: MarketChain, auctionType: AuctionType, count: number): Promise<Hex> {
  const [requester = zeroAddress, bidder = zeroAddress] = wallets
  const terms = { ...aBounty({ reward: 10_000n, duration: 2 * LONGEST }), ...anAuctionOf(auctionType) }
  const [task] = await createTasks(chain, [{ requester, terms: { ...terms, bidDuration: LONGEST } }])
  if (task === undefined) throw new Error('no auction was created')
  for (let bid = 0; bid < count; bid++) await send(chain, bidder, 'submitBid', [task.id, 10_000n - BigInt(bid)])
  await chain.mine()
  return task.id
}

function anAuctionOf(auctionType: AuctionType) {
  return { mode: toModeSelector('auction'), auctionType: toAuctionSelector(auctionType) }
}
