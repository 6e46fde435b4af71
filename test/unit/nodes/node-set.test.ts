import { numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeSet, type NodeSet, type NodeState } from '../../../api/nodes/node-set.ts'
import { aFakeNode, type FakeNode, hashOf } from './fake-nodes.ts'

let nodes: [FakeNode, FakeNode, FakeNode]
let set: NodeSet
let changes: NodeState[]

beforeEach(async () => {
  nodes = [await aFakeNode(), await aFakeNode(), await aFakeNode()]
  changes = []
  set = openSet({})
  await head()
})
afterEach(() => {
  set.close()
  for (const node of nodes) node.close()
})

function openSet({ checkEveryMs = 3_600_000 }: { checkEveryMs?: number }): NodeSet {
  const urls = nodes.map(({ url }) => url)
  const onChange = (change: NodeState) => changes.push(change)
  return createNodeSet({ urls, chainId: 8453, isLocal: true, checkEveryMs, timeoutMs: 1_500, onChange })
}

async function head(): Promise<number> {
  const { result } = await set.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  return Number((result as { number: string }).number)
}

/** Index of the node that answers now. */
async function answering(): Promise<number> {
  const { result } = await set.request({ method: 'eth_call', params: [] })
  return nodes.findIndex(({ url }) => url === result)
}

/** Lets a node have its next blocks when it is asked for the third time. */
function catchUp(node: FakeNode, height: number): void {
  node.asked = []
  node.onAsk = () => {
    if (node.asked.length >= 3) node.height = height
  }
}

function verdicts() {
  return set.states().map(({ verdict }) => verdict)
}

describe('a request', () => {
  test('given nodes that are well, then the first one answers it', async () => {
    expect(await answering()).toBe(0)
    expect(verdicts()).toEqual(['ok', 'ok', 'ok'])
  })

  test.each(['refuses', 'errors', 'limits', 'hangs'] as const)(
    'given a node that %s, then the next one answers, also those after it',
    async (mood) => {
      nodes[0].mood = mood
      expect(await Promise.all([answering(), answering(), answering()])).toEqual([1, 1, 1])
      nodes[0].mood = 'answers'
      expect(await answering()).toBe(1)
      expect(set.states()[0]).toMatchObject({ verdict: 'silent', isCurrent: false })
    },
  )

  test('given a pause that a node asks for, then it gets no request in it', async () => {
    nodes[0].mood = 'limits'
    await answering()
    nodes[0].asked = []
    nodes[1].height = 50
    await head()
    expect(nodes[0].asked).toEqual([])
  })

  test('given the current node fails and the next has not its block yet, then that is waited for', async () => {
    nodes[0].height = 101
    expect(await head()).toBe(101)
    nodes[0].mood = 'refuses'
    nodes[2].close()
    catchUp(nodes[1], 101)
    expect(await answering()).toBe(1)
    expect(nodes[1].height).toBe(101)
  })

  test('given a revert, then it is the answer, and no other node is asked', async () => {
    for (const node of nodes) node.asked = []
    nodes[0].callError = { code: 3, message: 'execution reverted' }
    const answer = await set.request({ method: 'eth_call', params: [] })
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
    expect(await answering()).toBe(1)
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
      expect((await set.request({ method: 'eth_call', params: [] })).error).toEqual(told)
    }
    expect(verdicts()).toEqual(['ok', 'ok', 'ok'])
  })

  test('given every node asks for a pause, then none is asked in it', async () => {
    for (const node of nodes) node.mood = 'limits'
    await expect(answering()).rejects.toThrow()
    for (const node of nodes) node.asked = []
    await expect(answering()).rejects.toThrow('no node of chain 8453 answers')
    expect(nodes.flatMap(({ asked }) => asked)).toEqual([])
  })

  test('given a block that no node knows, then the node stays', async () => {
    const hash = hashOf({ forkedFrom: null, chainId: 1 }, 99)
    expect(await set.request({ method: 'eth_getBlockByHash', params: [hash, false] })).toMatchObject({ result: null })
    expect(await answering()).toBe(0)
  })

  test('given a block that only others know, then one of them answers, also what comes after it', async () => {
    nodes[0].height = 98
    const hash = hashOf(nodes[1], 99)
    expect(await set.request({ method: 'eth_getBlockByHash', params: [hash, false] })).toMatchObject({
      result: { hash },
    })
    expect(await answering()).toBe(1)
  })

  test('given every node refuses, then the request fails', async () => {
    for (const node of nodes) node.mood = 'refuses'
    await expect(answering()).rejects.toThrow('HTTP request failed')
  })
})

describe('a head', () => {
  test('given the current node falls behind, then the head of another is answered', async () => {
    nodes[0].height = 50
    expect(await head()).toBe(100)
    expect(verdicts()).toEqual(['behind', 'ok', 'ok'])
    expect(await answering()).toBe(1)
    expect(changes.map(({ node, verdict, isCurrent }) => [node, verdict, isCurrent])).toEqual([
      [1, 'behind', true],
      [2, 'ok', true],
    ])
  })

  test('given the current node falls back by less than it may lag, then the head of another is answered', async () => {
    nodes[0].height = 97
    expect(await head()).toBe(100)
    expect(await answering()).toBe(1)
  })

  test('given a check that began before the current node fell behind, then it is checked again', async () => {
    set.close()
    set = openSet({ checkEveryMs: 5 })
    await head()
    // The check waits for the third node, and has its answers of the first one.
    nodes[2].mood = 'hangs'
    nodes[0].asked = []
    await expect.poll(() => nodes[0].asked).toContain('eth_getBlockByNumber')
    nodes[0].height = 50
    expect(await head()).toBe(100)
  })

  test('given the current node changes to a fork, then the head of the others is answered', async () => {
    nodes[0].forkedFrom = 98
    nodes[0].height = 101
    const { result } = await set.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    expect(result).toMatchObject({ hash: hashOf(nodes[1], 100) })
    expect(verdicts()).toEqual(['forked', 'ok', 'ok'])
  })

  test('given the current node becomes one of another chain, then the head of another is answered', async () => {
    nodes[0].chainId = 1
    nodes[0].height = 5_000
    expect(await head()).toBe(100)
    expect(verdicts()).toEqual(['other_chain', 'ok', 'ok'])
  })

  test('given two questions at once after some blocks, then both are answered without a check', async () => {
    nodes[0].height = 103
    nodes[1].asked = []
    expect(await Promise.all([head(), head()])).toEqual([103, 103])
    expect(nodes[1].asked).toEqual([])
  })

  test('given a block that is taken while a check runs, then the node stays', async () => {
    set.close()
    set = openSet({ checkEveryMs: 50 })
    await head()
    for (const node of nodes) node.asked = []
    nodes[1].height = 101
    nodes[2].mood = 'hangs'
    await expect.poll(() => nodes[0].asked.length, { interval: 1 }).toBe(2)
    nodes[0].height = 101
    expect(await head()).toBe(101)
    await expect.poll(verdicts).toEqual(['ok', 'ok', 'silent'])
    expect(await answering()).toBe(0)
  })

  test('given the only node that answers steps back, then there is none', async () => {
    nodes[1].mood = 'refuses'
    nodes[2].mood = 'refuses'
    nodes[0].height = 50
    await expect(head()).rejects.toThrow()
  })

  test('given a chain that got shorter at all nodes, then its head is answered', async () => {
    for (const node of nodes) node.height = 50
    expect(await head()).toBe(50)
  })

  test('given a reorg that all nodes have, then the node stays', async () => {
    for (const node of nodes) {
      node.forkedFrom = 99
      node.height = 102
    }
    expect(await head()).toBe(102)
    expect(await answering()).toBe(0)
  })

  test('given a fork of its own that goes on from the newest block, then a check finds it', async () => {
    set.close()
    set = openSet({ checkEveryMs: 20 })
    await head()
    nodes[0].forkedFrom = 101
    for (const node of nodes) node.height = 103
    expect(await head()).toBe(103)
    await expect.poll(verdicts).toEqual(['forked', 'ok', 'ok'])
    expect(await answering()).toBe(1)
  })

  test('given the first node is well again for some checks, then it is the current one again', async () => {
    set.close()
    set = openSet({ checkEveryMs: 5 })
    nodes[0].mood = 'errors'
    expect(await answering()).not.toBe(0)
    nodes[0].mood = 'answers'
    await expect.poll(() => set.states()[0]?.isCurrent).toBe(true)
  })
})

describe('a start', () => {
  test('given the first node is of another chain, then it answers nothing', async () => {
    set.close()
    nodes[0].chainId = 1
    set = openSet({})
    nodes[0].asked = []
    expect(await answering()).toBe(1)
    expect(nodes[0].asked).not.toContain('eth_call')
  })

  test('given every node is of another chain, then nothing but the chain is answered', async () => {
    set.close()
    for (const node of nodes) node.chainId = 1
    set = openSet({})
    expect(await set.request({ method: 'eth_chainId', params: [] })).toMatchObject({ result: '0x1' })
    await expect(answering()).rejects.toThrow('no node of chain 8453 answers')
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
      expect(await set.request({ method, params })).toEqual(expect.objectContaining({ result: nodes[1].url }))
    }
  })

  test('given a reorg that all nodes have, then the state at the new block is answered', async () => {
    for (const node of nodes) node.forkedFrom = 99
    expect(await set.request({ method: 'eth_call', params: [{}, 'latest'] })).toMatchObject({ result: nodes[0].url })
  })

  test('given a block below the newest is named, then that state is read', async () => {
    nodes[0].height = 95
    const { result } = await set.request({ method: 'eth_call', params: [{}, numberToHex(90)] })
    expect(result).toBe(nodes[0].url)
  })
})

describe('the logs of a range', () => {
  test('given the current node has lost its end, then another node answers them', async () => {
    const params = [{ fromBlock: numberToHex(90), toBlock: numberToHex(100) }]
    nodes[0].height = 50
    nodes[1].asked = []
    await set.request({ method: 'eth_getLogs', params })
    expect(nodes[1].asked).toContain('eth_getLogs')
  })
})

describe('logs', () => {
  test.each([numberToHex(100), numberToHex(90), 'latest'])(
    'given the current node changed to another chain, then another node answers those up to %s',
    async (toBlock) => {
      nodes[0].chainId = 1
      nodes[0].height = 5_000
      nodes[1].asked = []
      await set.request({ method: 'eth_getLogs', params: [{ fromBlock: numberToHex(80), toBlock }] })
      expect(nodes[1].asked).toContain('eth_getLogs')
    },
  )
})

describe('a signed transaction', () => {
  test('given a node that hangs, then all get it, and the first answer counts', async () => {
    nodes[0].mood = 'hangs'
    const { result } = await set.request({ method: 'eth_sendRawTransaction', params: ['0x02'] })
    expect([nodes[1].url, nodes[2].url]).toContain(result)
    expect(nodes.every(({ asked }) => asked.includes('eth_sendRawTransaction'))).toBe(true)
  })
})

describe('a block', () => {
  const block = (node: FakeNode, height: number) => ({ number: BigInt(height), hash: hashOf(node, height) })

  test('given two nodes have it, then it is confirmed, whatever the third does', async () => {
    nodes[2].mood = 'hangs'
    expect(await set.confirm(block(nodes[0], 100))).toBe(true)
  })

  test('given the others do not have it yet, then they are waited for', async () => {
    nodes[0].height = 101
    catchUp(nodes[2], 101)
    expect(await set.confirm(block(nodes[0], 101))).toBe(true)
  })

  test.each([
    ['the others have', 0],
    ['the current node has', 1],
  ] as const)('given %s another one, then it is not confirmed, without a wait', async (_, owner) => {
    nodes[0].forkedFrom = 100
    const before = performance.now()
    expect(await set.confirm(block(nodes[owner], 100))).toBe(false)
    expect(performance.now() - before).toBeLessThan(200)
  })

  test('given the current node has lost it, then it is not confirmed, whether it was before or not', async () => {
    expect(await set.confirm(block(nodes[1], 99))).toBe(true)
    nodes[0].height = 50
    expect(await set.confirm(block(nodes[1], 99))).toBe(false)
    expect(await set.confirm(block(nodes[1], 100))).toBe(false)
  })

  test('given many callers wait for it, then they share the questions', async () => {
    nodes[0].height = 101
    for (const node of nodes) node.asked = []
    await Promise.all(Array.from({ length: 20 }, () => set.confirm(block(nodes[0], 101))))
    expect(Math.max(...nodes.map(({ asked }) => asked.length))).toBeLessThan(10)
  })

  test('given no other node answers, then one is enough', async () => {
    nodes[1].mood = 'refuses'
    nodes[2].mood = 'refuses'
    nodes[0].height = 101
    await head()
    await set.confirm(block(nodes[0], 101))
    expect(await set.confirm(block(nodes[0], 101))).toBe(true)
  })
})

describe('a head that writes are judged by', () => {
  const headOf = (node: FakeNode, height: number) => ({
    number: BigInt(height),
    hash: hashOf(node, height),
    parentHash: hashOf(node, height - 1),
    timestamp: BigInt(height * 2),
  })

  test('given the others are some blocks late, then it is the newest that one of them has, and the head is undisputed', async () => {
    nodes[0].height = 103
    await head()
    nodes[2].mood = 'refuses'
    nodes[1].height = 101
    expect(await set.findConfirmedHead(headOf(nodes[0], 103))).toEqual(headOf(nodes[0], 101))
    expect(await set.isUndisputed(headOf(nodes[0], 103))).toBe(true)
  })

  test('given the others have other blocks, then there is none, and the head is disputed', async () => {
    nodes[0].forkedFrom = 100
    expect(await set.findConfirmedHead(headOf(nodes[0], 100))).toBeNull()
    expect(await set.isUndisputed(headOf(nodes[0], 100))).toBe(false)
  })

  test('given another node became the current one since, then what was read since is not judged by it', async () => {
    nodes[0].mood = 'refuses'
    expect(await answering()).toBe(1)
    expect(await set.isUndisputed(headOf(nodes[1], 100))).toBe(false)
    for (const node of nodes) node.height = 101
    await head()
    expect(await set.isUndisputed(headOf(nodes[1], 101))).toBe(true)
  })
})
