import { describe, expect, test } from 'vitest'
import { hashOf } from './fake-nodes.ts'
import { useThreeNodes } from './three-nodes.ts'

const three = useThreeNodes()
const { nodes } = three

describe('a head', () => {
  test('given the current node falls behind, then the head of another is answered', async () => {
    nodes[0].height = 50
    expect(await three.head()).toBe(100)
    expect(three.verdicts()).toEqual(['behind', 'ok', 'ok'])
    expect(await three.answering()).toBe(1)
    expect(three.changes.map(({ node, verdict, isCurrent }) => [node, verdict, isCurrent])).toEqual([
      [1, 'behind', true],
      [2, 'ok', true],
    ])
  })

  test('given the current node falls back by less than it may lag, then the head of another is answered', async () => {
    nodes[0].height = 97
    expect(await three.head()).toBe(100)
    expect(await three.answering()).toBe(1)
  })

  test('given a check that began before the current node fell behind, then it is checked again', async () => {
    three.reopen({ checkEveryMs: 5 })
    await three.head()
    // The check waits for the third node, and has its answers of the first one.
    nodes[2].mood = 'hangs'
    nodes[0].asked = []
    await expect.poll(() => nodes[0].asked).toContain('eth_getBlockByNumber')
    nodes[0].height = 50
    expect(await three.head()).toBe(100)
  })

  test('given the current node changes to a fork, then the head of the others is answered', async () => {
    nodes[0].forkedFrom = 98
    nodes[0].height = 101
    const { result } = await three.set.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    expect(result).toMatchObject({ hash: hashOf(nodes[1], 100) })
    expect(three.verdicts()).toEqual(['forked', 'ok', 'ok'])
  })

  test('given the current node becomes one of another chain, then the head of another is answered', async () => {
    nodes[0].chainId = 1
    nodes[0].height = 5_000
    expect(await three.head()).toBe(100)
    expect(three.verdicts()).toEqual(['other_chain', 'ok', 'ok'])
  })

  test('given two questions at once after some blocks, then both are answered without a check', async () => {
    nodes[0].height = 103
    nodes[1].asked = []
    expect(await Promise.all([three.head(), three.head()])).toEqual([103, 103])
    expect(nodes[1].asked).toEqual([])
  })

  test('given a block that is taken while a check runs, then the node stays', async () => {
    three.reopen({ checkEveryMs: 50 })
    await three.head()
    for (const node of nodes) node.asked = []
    nodes[1].height = 101
    nodes[2].mood = 'hangs'
    await expect.poll(() => nodes[0].asked.length, { interval: 1 }).toBe(2)
    nodes[0].height = 101
    expect(await three.head()).toBe(101)
    await expect.poll(three.verdicts).toEqual(['ok', 'ok', 'silent'])
    expect(await three.answering()).toBe(0)
  })

  test('given the only node that answers steps back, then there is none', async () => {
    nodes[1].mood = 'refuses'
    nodes[2].mood = 'refuses'
    nodes[0].height = 50
    await expect(three.head()).rejects.toThrow()
  })

  test('given a chain that got shorter at all nodes, then its head is answered', async () => {
    for (const node of nodes) node.height = 50
    expect(await three.head()).toBe(50)
  })

  test('given a reorg that all nodes have, then the node stays', async () => {
    for (const node of nodes) {
      node.forkedFrom = 99
      node.height = 102
    }
    expect(await three.head()).toBe(102)
    expect(await three.answering()).toBe(0)
  })

  test('given a fork of its own that goes on from the newest block, then a check finds it', async () => {
    three.reopen({ checkEveryMs: 20 })
    await three.head()
    nodes[0].forkedFrom = 101
    for (const node of nodes) node.height = 103
    expect(await three.head()).toBe(103)
    await expect.poll(three.verdicts).toEqual(['forked', 'ok', 'ok'])
    expect(await three.answering()).toBe(1)
  })

  test('given the first node is well again for some checks, then it is the current one again', async () => {
    three.reopen({ checkEveryMs: 5 })
    nodes[0].mood = 'errors'
    expect(await three.answering()).not.toBe(0)
    nodes[0].mood = 'answers'
    await expect.poll(() => three.set.states()[0]?.isCurrent).toBe(true)
  })
})

describe('a start', () => {
  test('given the first node is of another chain, then it answers nothing', async () => {
    nodes[0].chainId = 1
    three.reopen()
    nodes[0].asked = []
    expect(await three.answering()).toBe(1)
    expect(nodes[0].asked).not.toContain('eth_call')
  })

  test('given every node is of another chain, then nothing but the chain is answered', async () => {
    for (const node of nodes) node.chainId = 1
    three.reopen()
    expect(await three.set.request({ method: 'eth_chainId', params: [] })).toMatchObject({ result: '0x1' })
    await expect(three.answering()).rejects.toThrow('no node of chain 8453 answers')
  })
})
