import { ContractFunctionExecutionError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { expect, test, vi } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type Chain, ChainUnavailable } from '../../../api/chain/chain.ts'
import { createChainGate, guardedBy } from '../../../api/chain/chain-gate.ts'

const url = 'http://127.0.0.1:1'
const body = { method: 'eth_call' }
const log = { warn: () => {}, info: () => {} }

const withoutAnswer: readonly [string, Error][] = [
  ['a refused connection', new HttpRequestError({ body, url })],
  ['429', new HttpRequestError({ body, url, status: 429 })],
  ['a hanging node', new TimeoutError({ body, url })],
  ['an overloaded node', new RpcRequestError({ body, url, error: { code: -32_005, message: 'limit exceeded' } })],
  ['the port’s own error', new ChainUnavailable('no answer')],
]

test.each(withoutAnswer)('given %s, then the gate stays closed until a node answers', async (_name, error) => {
  let failure: Error | null = error
  const gate = createChainGate({
    log,
    check: async () => {
      if (failure !== null) throw failure
    },
  })
  await gate.tryOpen()
  expect(gate.isOpen()).toBe(false)
  failure = null
  await gate.tryOpen()
  expect(gate.isOpen()).toBe(true)
})

test('given a node that hangs, then a start waits three seconds, and the gate opens when it has answered', async () => {
  vi.useFakeTimers()
  try {
    let answer = () => {}
    const check = () =>
      new Promise<void>((resolve) => {
        answer = resolve
      })
    const gate = createChainGate({ log, check })
    const opening = gate.tryOpen()
    await vi.advanceTimersByTimeAsync(3_000)
    await opening
    expect(gate.isOpen()).toBe(false)
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(gate.isOpen()).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

const otherChains: readonly [string, Error][] = [
  ['another chain id', new Error('the RPC URL leads to chain 1, the contracts are on chain 8453')],
  [
    'a contract that reverts',
    new ContractFunctionExecutionError(
      new RpcRequestError({ body, url, error: { code: 3, message: 'execution reverted' } }),
      { abi: taskMarketAbi, functionName: 'forwarder' },
    ),
  ],
]

test.each(otherChains)('given %s, then the start ends with it', async (_name, error) => {
  const gate = createChainGate({ log, check: () => Promise.reject(error) })
  await expect(gate.tryOpen()).rejects.toBe(error)
})

test('given a closed gate, then writes get no head, and reads get theirs', async () => {
  let isOpen = false
  const head = { number: 7n, timestamp: 1n }
  const chain = guardedBy({ isOpen: () => isOpen }, {
    head: async () => head,
    latestHead: async () => head,
    latestClocks: async () => ({ head }),
  } as unknown as Chain)
  expect(await chain.head()).toBe(head)
  await expect(chain.latestHead()).rejects.toBeInstanceOf(ChainUnavailable)
  await expect(chain.latestClocks()).rejects.toBeInstanceOf(ChainUnavailable)
  isOpen = true
  expect(await chain.latestHead()).toBe(head)
})
