import { describe, expect, test } from 'vitest'
import { type FakeNode, hashOf } from './fake-nodes.ts'
import { catchUp, useThreeNodes } from './three-nodes.ts'

const three = useThreeNodes()
const { nodes } = three

describe('a block', () => {
  const block = (node: FakeNode, height: number) => ({ number: BigInt(height), hash: hashOf(node, height) })

  test('given two nodes have it, then it is confirmed, whatever the third does', async () => {
    nodes[2].mood = 'hangs'
    expect(await three.set.confirm(block(nodes[0], 100))).toBe(true)
  })

  test('given the others do not have it yet, then they are waited for', async () => {
    nodes[0].height = 101
    catchUp(nodes[2], 101)
    expect(await three.set.confirm(block(nodes[0], 101))).toBe(true)
  })

  test.each([
    ['the others have', 0],
    ['the current node has', 1],
  ] as const)('given %s another one, then it is not confirmed, and no node is asked twice', async (_, owner) => {
    nodes[0].forkedFrom = 100
    for (const node of nodes) node.asked = []
    expect(await three.set.confirm(block(nodes[owner], 100))).toBe(false)
    expect(Math.max(...nodes.map(({ asked }) => asked.length))).toBe(1)
  })

  test('given the current node has lost it, then it is not confirmed, whether it was before or not', async () => {
    expect(await three.set.confirm(block(nodes[1], 99))).toBe(true)
    nodes[0].height = 50
    expect(await three.set.confirm(block(nodes[1], 99))).toBe(false)
    expect(await three.set.confirm(block(nodes[1], 100))).toBe(false)
  })

  test('given many callers wait for it, then they share the questions', async () => {
    nodes[0].height = 101
    for (const node of nodes) node.asked = []
    await Promise.all(Array.from({ length: 20 }, () => three.set.confirm(block(nodes[0], 101))))
    expect(Math.max(...nodes.map(({ asked }) => asked.length))).toBeLessThan(10)
  })

  test('given no other node answers, then one is enough', async () => {
    nodes[1].mood = 'refuses'
    nodes[2].mood = 'refuses'
    nodes[0].height = 101
    await three.head()
    await three.set.confirm(block(nodes[0], 101))
    expect(await three.set.confirm(block(nodes[0], 101))).toBe(true)
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
    await three.head()
    nodes[2].mood = 'refuses'
    nodes[1].height = 101
    expect(await three.set.findConfirmedHead(headOf(nodes[0], 103))).toEqual(headOf(nodes[0], 101))
    expect(await three.set.isUndisputed(headOf(nodes[0], 103))).toBe(true)
  })

  test('given the others have other blocks, then there is none, and the head is disputed', async () => {
    nodes[0].forkedFrom = 100
    expect(await three.set.findConfirmedHead(headOf(nodes[0], 100))).toBeNull()
    expect(await three.set.isUndisputed(headOf(nodes[0], 100))).toBe(false)
  })

  test('given another node became the current one since, then what was read since is not judged by it', async () => {
    nodes[0].mood = 'refuses'
    expect(await three.answering()).toBe(1)
    expect(await three.set.isUndisputed(headOf(nodes[1], 100))).toBe(false)
    for (const node of nodes) node.height = 101
    await three.head()
    expect(await three.set.isUndisputed(headOf(nodes[1], 101))).toBe(true)
  })
})
