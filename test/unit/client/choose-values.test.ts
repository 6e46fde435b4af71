import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Chain, ChainTask } from '../../../client/src/chain/rpc.ts'
import { chooseValues } from '../../../client/src/writes/choose-values.ts'
import { writes } from '../../../client/src/writes/write-table.ts'

const taskId: Hex = `0x${'9f'.repeat(32)}`
const NOW = 1_800_000_000

/** A dutch auction from 5 to 1 USDC in 4,000 seconds, 1,000 base units a second, of which half an hour is over. */
const auction: ChainTask = {
  requester: `0x${'0e'.repeat(20)}`,
  reward: 5_000_000n,
  stakeBps: 0,
  round: 0,
  auctionType: 'dutch',
  createdAt: BigInt(NOW - 1_800),
  bidDeadline: BigInt(NOW + 2_200),
  clockPrice: 1_000_000n,
}
const isoOf = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString()

function sources(task: ChainTask, { hasNode }: { hasNode: boolean }) {
  const row = {
    auctionType: task.auctionType,
    reward: task.reward.toString(),
    auctionStartPrice: task.auctionType === 'reverse_dutch' ? task.clockPrice.toString() : null,
    auctionFloorPrice: task.auctionType === 'dutch' ? task.clockPrice.toString() : null,
    createdAt: isoOf(task.createdAt),
    bidDeadline: task.auctionType === null ? null : isoOf(task.bidDeadline),
  }
  const chain = { taskOf: async () => task } as Pick<Chain, 'taskOf'> as Chain
  return {
    chain: hasNode ? chain : null,
    url: 'https://market.example',
    fetch: async () => Response.json(row),
    identity: async () => ({}),
    timing: { requestMs: 1_000, waitMs: 1, pauseMs: 1, maxPauseMs: 1 },
    signingTime: async () => NOW,
  }
}

describe('The values that a client chooses', () => {
  const { acceptAuction, rateWorker, createTask, cancelTask } = writes

  test.each([true, false])(
    'given an auction by the clock, then the least price is that of its end (node: %s)',
    async (hasNode) => {
      const least = async (task: ChainTask) =>
        await chooseValues(sources(task, { hasNode }), acceptAuction.operation, { taskId })
      // 1,800 seconds are over, and a payment lives 300.
      expect(await least(auction)).toEqual({ minPrice: '2900000' })
      expect(await least({ ...auction, auctionType: 'reverse_dutch' })).toEqual({ minPrice: '2800000' })
      expect(await least({ ...auction, auctionType: null })).toEqual({})
      const given = { taskId, minPrice: '7' }
      expect(await chooseValues(sources(auction, { hasNode }), acceptAuction.operation, given)).toEqual({})
    },
  )

  test('given documents, then each has a salt of its own, and the time of the head', async () => {
    const from = sources(auction, { hasNode: true })
    const salts = await Promise.all(
      [1, 2].map(async () => (await chooseValues(from, createTask.operation, {})).documentSalt),
    )
    expect(new Set(salts).size).toBe(2)
    expect(salts[0]).toMatch(/^0x[0-9a-f]{64}$/)
    const createdAt = new Date(NOW * 1000).toISOString()
    expect(await chooseValues(from, rateWorker.operation, { documentSalt: taskId })).toEqual({ createdAt })
    expect(await chooseValues(from, cancelTask.operation, { taskId })).toEqual({})
  })
})
