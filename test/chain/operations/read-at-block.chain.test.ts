import { type Address, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type Chain, ChainUnavailable } from '../../../api/chain/chain.ts'
import { readDeployment } from '../../../api/chain/deployment.ts'
import { createChain } from '../../../api/chain/viem-chain.ts'
import { oneNode } from '../../support/one-node.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'

/** Codes of tokens, and what is read as their balance. */
const tokens: Readonly<Record<string, { code: Hex; balance: bigint | null }>> = {
  'answers seven': { code: '0x600760005260206000f3', balance: 7n },
  reverts: { code: '0x60006000fd', balance: null },
  'burns its gas': { code: '0x5b600056', balance: null },
  'answers one byte': { code: '0x60016000f3', balance: null },
  'answers 64 bytes': { code: '0x60406000f3', balance: null },
  'answers a megabyte': { code: '0x620fffff6000f3', balance: null },
  'has no code': { code: '0x', balance: null },
}

let market: MarketChain
let chain: Chain
beforeAll(async () => {
  market = await openMarketChain()
  const deployment = await readDeployment(market.deploymentFile)
  chain = createChain({ nodes: oneNode(market.url), deployment, findIndexed: () => null, isStale: () => false })
})
afterAll(() => market?.close())

const addressOf = (name: string): Address => `0x${keccak256(toHex(name)).slice(-40)}`

test('given a height, then the time of its block; given one that is not there yet, then null', async () => {
  const head = await market.mine()
  const [before, after] = [await chain.blockTimestamp(head), await chain.blockTimestamp(head + 1n)]
  expect([before, after]).toEqual([(await chain.latestHead()).timestamp, null])
})

describe('reads at a block’s hash', () => {
  test.each(Object.entries(tokens))('given a token that %s, then its balance is that or none', async (name, token) => {
    await market.setCode(addressOf(name), token.code)
    const hash = await chain.blockHash(await market.mine())
    const holding = { token: addressOf(name), account: addressOf('holder') }
    expect(await chain.findTokenBalanceAt(hash ?? '0x', holding)).toBe(token.balance)
  })

  test('given views of which one reverts, then the others are answered; given a block that is gone, then none', async () => {
    const { market: address } = await readDeployment(market.deploymentFile)
    const head = await market.mine()
    const hash = (await chain.blockHash(head)) ?? '0x'
    const calls = [
      { address, abi: taskMarketAbi, functionName: 'totalEscrow' },
      { address, abi: taskMarketAbi, functionName: 'clockPriceOf', args: [keccak256('0x')] },
      { address: addressOf('no code'), abi: taskMarketAbi, functionName: 'totalEscrow' },
    ] as const
    const answers = await chain.readContractsAt(hash, calls)
    expect(answers.map(({ status, result }) => [status, result])).toEqual([
      ['success', 0n],
      ['failure', undefined],
      ['failure', undefined],
    ])
    await expect(chain.readContractsAt(keccak256('0x01'), calls)).rejects.toThrow(ChainUnavailable)
    expect(await chain.findTokenBalanceAt(keccak256('0x01'), { token: address, account: address })).toBeNull()
  })
})
