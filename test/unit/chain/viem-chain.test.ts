import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeFunctionResult, multicall3Abi, numberToHex, pad } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { checkChain } from '../../../api/chain/check-chain.ts'
import { createChain } from '../../../api/chain/viem-chain.ts'
import type { RpcAnswer } from '../../../api/nodes/exchange.ts'
import { oneNode } from '../../support/one-node.ts'

const HASH = pad('0x01')
const OTHER = pad('0x02')
const BLOCK = pad('0x0b')
const EMPTY_BLOOM = pad('0x', { size: 256 })
const FULL_BLOOM = `0x${'ff'.repeat(256)}` as const
const ADDRESS = pad('0xa1', { size: 20 })
const deployment = {
  chainId: 8453,
  name: 'base',
  local: false,
  market: ADDRESS,
  forwarder: ADDRESS,
  usdc: ADDRESS,
  usdcDomain: { name: 'USD Coin', version: '2' },
  multicall3: ADDRESS,
  identityRegistry: ADDRESS,
  identityRegistrar: ADDRESS,
  reputationRegistry: ADDRESS,
}

/** A node that answers each method as a test defines. */
type Answers = Record<string, unknown>

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function aNode(answers: Answers): Promise<string> {
  const server = createServer(async (request, response) => {
    const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function aChain(answers: Answers) {
  return createChain({
    nodes: oneNode(await aNode(answers)),
    deployment,
    findIndexed: () => null,
    isStale: () => false,
  })
}

const log = {
  address: ADDRESS,
  topics: [],
  data: '0x',
  logIndex: '0x0',
  transactionIndex: '0x0',
  removed: false,
  blockNumber: '0x7',
  blockHash: BLOCK,
  transactionHash: HASH,
}
const receipt = {
  transactionHash: HASH,
  blockNumber: '0x7',
  blockHash: BLOCK,
  status: '0x1',
  logs: [log],
  logsBloom: FULL_BLOOM,
  type: '0x2',
  from: ADDRESS,
  to: ADDRESS,
  gasUsed: '0x3',
  effectiveGasPrice: '0x5',
  cumulativeGasUsed: '0x3',
  transactionIndex: '0x0',
}
const block = { number: '0x7', hash: BLOCK, timestamp: '0x1', logsBloom: FULL_BLOOM, transactions: [] }

describe('a receipt', () => {
  it('given it is complete, then it is accepted', async () => {
    const chain = await aChain({ eth_getTransactionReceipt: receipt })
    expect(await chain.getTransactionReceipt(HASH)).toMatchObject({ hash: HASH, blockNumber: 7n, succeeded: true })
  })

  it('given none, then null: the outcome is unknown', async () => {
    expect(await (await aChain({})).getTransactionReceipt(HASH)).toBeNull()
  })

  it.each<[string, object]>([
    ['it is of another transaction', { ...receipt, transactionHash: OTHER }],
    ['a log is of another transaction', { ...receipt, logs: [{ ...log, transactionHash: OTHER }] }],
    ['a log is of another block', { ...receipt, logs: [{ ...log, blockHash: OTHER }] }],
    ['its logs are missing though its bloom tells of some', { ...receipt, logs: [] }],
  ])('given %s, then it is no answer', async (_name, answer) => {
    const chain = await aChain({ eth_getTransactionReceipt: answer })
    await expect(chain.getTransactionReceipt(HASH)).rejects.toBeInstanceOf(ChainUnavailable)
  })

  it('given a revert without logs, then it is accepted', async () => {
    const chain = await aChain({
      eth_getTransactionReceipt: { ...receipt, status: '0x0', logs: [], logsBloom: EMPTY_BLOOM },
    })
    expect(await chain.getTransactionReceipt(HASH)).toMatchObject({ succeeded: false, logs: [] })
  })
})

describe('the logs of a block', () => {
  const filter = { addresses: [ADDRESS], blockNumber: 7n }

  it('given logs, then they have the hash of their block', async () => {
    const chain = await aChain({ eth_getBlockByNumber: block, eth_getLogs: [log] })
    expect(await chain.blockLogs(filter)).toMatchObject({ blockHash: BLOCK, logs: [{ transactionHash: HASH }] })
  })

  it('given none though the bloom has the contract, then it is no answer', async () => {
    const chain = await aChain({ eth_getBlockByNumber: block, eth_getLogs: [] })
    await expect(chain.blockLogs(filter)).rejects.toBeInstanceOf(ChainUnavailable)
  })

  it('given none and a bloom without the contract, then there are none', async () => {
    const silent = { ...block, logsBloom: EMPTY_BLOOM }
    const chain = await aChain({ eth_getBlockByNumber: silent, eth_getLogs: [] })
    expect(await chain.blockLogs(filter)).toMatchObject({ logs: [] })
  })
})

describe('several views', () => {
  /** More than fit into the chunks that viem would make of them, each with its own state. */
  const views = Array.from({ length: 300 }, () => ({
    address: ADDRESS,
    abi: taskMarketAbi,
    functionName: 'feeBps' as const,
  }))
  const answerOf = (isOk: (index: number) => boolean) =>
    encodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      result: views.map((_, index) => ({ success: isOk(index), returnData: numberToHex(index, { size: 32 }) })),
    })

  it('given any number of them, then they are one call: all answers are of one state', async () => {
    const chain = await aChain({ eth_call: answerOf(() => true) })
    expect(await chain.readContracts(views)).toEqual(views.map((_, index) => index))
  })

  it('given one that reverts, then there is no answer', async () => {
    const chain = await aChain({ eth_call: answerOf((index) => index !== 7) })
    await expect(chain.readContracts(views)).rejects.toBeInstanceOf(ChainUnavailable)
  })
})

describe('the head for a write', () => {
  it('given two of several nodes that hang, then it is that of the third', async () => {
    vi.useFakeTimers()
    const head = { number: '0x7', hash: BLOCK, parentHash: OTHER, timestamp: '0x1', transactions: [] }
    const request = () =>
      new Promise<RpcAnswer>((resolve) => setTimeout(() => resolve({ result: head, status: 200 }), 4_100))
    const nodes = { ...oneNode('http://127.0.0.1:1'), size: 3, request }
    const asked = createChain({ nodes, deployment, findIndexed: () => null, isStale: () => false }).latestHead()
    await vi.advanceTimersByTimeAsync(4_100)
    vi.useRealTimers()
    expect(await asked).toMatchObject({ number: 7n, hash: BLOCK })
  })
})

describe('a chain at the start', () => {
  it('given another chain than that of the contracts, then the service refuses to start', async () => {
    const rpcUrl = await aNode({ eth_chainId: numberToHex(845) })
    await expect(
      checkChain({ nodes: oneNode(rpcUrl), deployment, serviceName: 'service', relayers: [] }),
    ).rejects.toThrow('leads to chain 845, and the contracts are on chain 8453')
  })
})
