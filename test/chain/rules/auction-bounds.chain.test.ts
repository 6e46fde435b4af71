import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admit } from '../../../api/domain/actions/admit.ts'
import { listPendingActions } from '../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { leastPriceOf } from '../../../protocol/clock-price.ts'
import { byDepth } from '../../support/depth.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { readTaskStates } from '../indexer/task-states.ts'
import { fillWithBids, makeClocks } from './auctions.ts'
import { send } from './bounties.ts'
import { evaluateAll } from './evaluate-calls.ts'
import { readSnapshots } from './read-snapshots.ts'
import { wallets } from './wallets.ts'

const SEED = 500
/** Validity of a payment, seconds. */
const VALID = 600n

let chain: MarketChain
let random: Random

beforeAll(async () => {
  chain = await openMarketChain()
  random = createRandom(SEED)
})

afterAll(async () => {
  await chain?.close()
})

test.each(['english', 'reverse_english'] as const)(
  'given 499 and 500 bids in an auction (%s), when another wallet bids, then a leading bid is accepted, and another one only below 500',
  async (auctionType) => {
    const id = await fillWithBids(chain, auctionType, 499)
    for (const bids of [499, 500]) {
      if (bids === 500) {
        await send(chain, wallets[1] ?? zeroAddress, 'submitBid', [id, 9_501n])
        await chain.mine()
      }
      const [read] = await readAll([id])
      if (read === undefined) throw new Error('no snapshot')
      const lowest = 10_001n - BigInt(bids)
      const task = { ...read, lowestBid: lowest }
      expect(task.bidCount).toBe(bids)
      const now = task.createdAt + 1n
      expect(listPendingActions(task, now).map(({ action }) => action)).toContain('bid')

      const trailing = auctionType === 'english' ? 'bid_not_lower' : bids === 500 ? 'bid_limit_reached' : undefined
      const attempts = [
        { actor: wallets[2], price: lowest - 1n, expected: undefined },
        { actor: wallets[2], price: 1000n, expected: undefined },
        { actor: wallets[2], price: 999n, expected: 'invalid_price' },
        { actor: wallets[2], price: lowest, expected: trailing },
        { actor: wallets[0], price: lowest - 1n, expected: 'own_task' },
      ] as const
      const refusals = attempts.map(
        ({ actor = zeroAddress, price }) => admit('bid', task, { actor, now, args: { price } })?.failure,
      )
      expect(refusals).toEqual(attempts.map(({ expected }) => expected))
      const calls = attempts.map(({ actor = zeroAddress, price }) => {
        return { actor, data: encodeMarketCall(zeroAddress, 'submitBid', [id, price]).data }
      })
      expect(await evaluateAll(chain, now, calls)).toEqual(refusals.map((refusal) => refusal === undefined))
    }
  },
)

test('given a clock price, when it is accepted without a minimum, then it is not refused while the payment is valid', async () => {
  for (const task of await readAll(await makeClocks(chain, random, byDepth(8, 24)))) {
    const actor = wallets.find((wallet) => wallet !== task.requester) ?? zeroAddress
    for (const now of momentsOf(task).filter((moment) => moment < task.expiryTime)) {
      const { data } = encodeMarketCall(zeroAddress, 'acceptAuction', [
        ...([task.id, leastPriceOf(task, { now, end: now + VALID }) ?? 0n] as const),
      ])
      for (const later of [0n, 1n, VALID - 1n, VALID].map((seconds) => now + seconds)) {
        if (later < task.expiryTime) expect(await evaluateAll(chain, later, [{ actor, data }])).toEqual([true])
      }
    }
  }
})

async function readAll(ids: Parameters<typeof readTaskStates>[1]): Promise<TaskSnapshot[]> {
  return await readSnapshots(chain, { tasks: await readTaskStates(chain, ids), logs: [] })
}

/** The bounds of the deadline and of the expiry, and some time before both. */
function momentsOf({ createdAt, bidDeadline, expiryTime }: TaskSnapshot): bigint[] {
  const deadline = bidDeadline ?? expiryTime
  const edges = [deadline, expiryTime].flatMap((time) => [time - 1n, time, time + 1n])
  return [...edges, createdAt + BigInt(random.below(Number(deadline - createdAt)))]
}
