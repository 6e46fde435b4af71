import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { hashOf } from './fake-nodes.ts'
import { catchUp, useThreeNodes } from './three-nodes.ts'

const three = useThreeNodes()
const { nodes } = three

describe('a request', () => {
  test('given nodes that are well, then the first one answers it', async () => {
    expect(await three.answering()).toBe(0)
    expect(three.verdicts()).toEqual(['ok', 'ok', 'ok'])
  })

  test.each(['refuses', 'errors', 'limits', 'hangs'] as const)(
    'given a node that %s, then the next one answers, also those after it',
    async (mood) => {
      nodes[0].mood = mood
      expect(await Promise.all([three.answering(), three.answering(), three.answering()])).toEqual([1, 1, 1])
      nodes[0].mood = 'answers'
      expect(await three.answering()).toBe(1)
      expect(three.set.states()[0]).toMatchObject({ verdict: 'silent', isCurrent: false })
    },
  )

  test('given a pause that a node asks for, then it gets no request in it', async () => {
    nodes[0].mood = 'limits'
    await three.answering()
    nodes[0].asked = []
    nodes[1].height = 50
    await three.head()
    expect(nodes[0].asked).toEqual([])
  })

  test('given the current node fails and the next has not its block yet, then that is waited for', async () => {
    nodes[0].height = 101
    expect(await three.head()).toBe(101)
    nodes[0].mood = 'refuses'
    nodes[2].close()
    catchUp(nodes[1], 101)
    expect(await three.answering()).toBe(1)
    expect(nodes[1].height).toBe(101)
  })

  test('given a revert, then it is the answer, and no other node is asked', async () => {
    for (const node of nodes) node.asked = []
    nodes[0].callError = { code: 3, message: 'execution reverted' }
    const answer = await three.set.request({ method: 'eth_call', params: [] })
    expect(answer.error).toMatchObject({ code: 3 })
    expect([nodes[1].asked, nodes[2].asked]).toEqual([[], []])
  })

  test.each([
    { status: 503, code: -32000, message: 'no healthy upstream' },
    { status: 429, code: -32000, message: 'slow down' },
    { code: -32005, message: 'rate limit exceeded' },
    { code: -32000, message: 'header not found' },
  ])('given the error %j of the node, then the next one answers', async (error) => {
    nodes[0].callError = error
    expect(await three.answering()).toBe(1)
  })

  test.each([
    { code: 3, message: 'execution reverted: too many requests' },
    { code: -32000, message: 'execution reverted: rate limit' },
    { code: -32005, message: 'query returned more than 10000 results' },
    { code: -32000, message: 'rate limited: the block range is too wide' },
  ])('given the error %j of the request, then it is the answer, and all nodes stay usable', async (error) => {
    for (const node of nodes) node.callError = error
    for (let count = 0; count < 3; count += 1) {
      const { status: _, ...told } = { status: 200, ...error }
      expect((await three.set.request({ method: 'eth_call', params: [] })).error).toEqual(told)
    }
    expect(three.verdicts()).toEqual(['ok', 'ok', 'ok'])
  })

  test('given every node asks for a pause, then none is asked in it', async () => {
    for (const node of nodes) node.mood = 'limits'
    await expect(three.answering()).rejects.toThrow()
    for (const node of nodes) node.asked = []
    await expect(three.answering()).rejects.toThrow('no node of chain 8453 answers')
    expect(nodes.flatMap(({ asked }) => asked)).toEqual([])
  })

  test('given a block that no node knows, then the node stays', async () => {
    const hash = hashOf({ forkedFrom: null, chainId: 1 }, 99)
    expect(await three.set.request({ method: 'eth_getBlockByHash', params: [hash, false] })).toMatchObject({
      result: null,
    })
    expect(await three.answering()).toBe(0)
  })

  test('given a block that only others know, then one of them answers, also what comes after it', async () => {
    nodes[0].height = 98
    const hash = hashOf(nodes[1], 99)
    expect(await three.set.request({ method: 'eth_getBlockByHash', params: [hash, false] })).toMatchObject({
      result: { hash },
    })
    expect(await three.answering()).toBe(1)
  })

  test('given every node refuses, then the request fails', async () => {
    for (const node of nodes) node.mood = 'refuses'
    await expect(three.answering()).rejects.toThrow('HTTP request failed')
  })
})

describe('the newest state', () => {
  test.each([
    ['falls behind', { height: 95 }],
    ['changes to a fork', { forkedFrom: 98 }],
    ['becomes one of another chain', { chainId: 1 }],
  ])('given the current node %s after its head was taken, then another answers', async (_, change) => {
    Object.assign(nodes[0], change)
    const address = `0x${'be'.repeat(20)}`
    for (const [method, params] of [
      ['eth_call', [{ to: address }, 'latest', { [address]: { code: '0x00' } }]],
      ['eth_getBalance', [address]],
      ['eth_getTransactionCount', [address, numberToHex(100)]],
    ] as const) {
      expect(await three.set.request({ method, params })).toEqual(expect.objectContaining({ result: nodes[1].url }))
    }
  })

  test('given a reorg that all nodes have, then the state at the new block is answered', async () => {
    for (const node of nodes) node.forkedFrom = 99
    expect(await three.set.request({ method: 'eth_call', params: [{}, 'latest'] })).toMatchObject({
      result: nodes[0].url,
    })
  })

  test('given a block below the newest is named, then that state is read', async () => {
    nodes[0].height = 95
    const { result } = await three.set.request({ method: 'eth_call', params: [{}, numberToHex(90)] })
    expect(result).toBe(nodes[0].url)
  })
})

describe('logs', () => {
  const otherChain = { chainId: 1, height: 5_000 }
  test.each([
    ['has lost their end', { height: 50 }, numberToHex(100)],
    ['changed to another chain', otherChain, numberToHex(100)],
    ['changed to another chain', otherChain, numberToHex(90)],
    ['changed to another chain', otherChain, 'latest'],
  ])('given the current node %s, %j, then another node answers those up to %s', async (_, change, toBlock) => {
    Object.assign(nodes[0], change)
    nodes[1].asked = []
    await three.set.request({ method: 'eth_getLogs', params: [{ fromBlock: numberToHex(80), toBlock }] })
    expect(nodes[1].asked).toContain('eth_getLogs')
  })
})

describe('a signed transaction', () => {
  test('given a node that hangs, then all get it, and the first answer counts', async () => {
    nodes[0].mood = 'hangs'
    const { result } = await three.set.request({ method: 'eth_sendRawTransaction', params: ['0x02'] })
    expect([nodes[1].url, nodes[2].url]).toContain(result)
    expect(nodes.every(({ asked }) => asked.includes('eth_sendRawTransaction'))).toBe(true)
  })
})
