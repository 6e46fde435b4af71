import { describe, expect, it } from 'vitest'
import { createHeadOrder, type HeadOrder } from '../../../ops/indexer/heads/head-order.ts'
import { aHeader } from './headers.ts'

/** Polls without the socket's telling anything meanwhile. */
const poll = (order: HeadOrder, header: ReturnType<typeof aHeader>) => order.poll(header, order.toldCount())

describe('the order of heads from a socket and from polls', () => {
  it('given both tell every block, then each is new once', () => {
    const order = createHeadOrder()
    expect(order.tell(aHeader(1))).toBe(true)
    expect(poll(order, aHeader(1))).toBe(false)
    expect(poll(order, aHeader(2))).toBe(true)
    expect(order.tell(aHeader(2))).toBe(false)
    expect(order.current()).toEqual(aHeader(2))
  })

  it('given the socket is late, then a block before the newest is none', () => {
    const order = createHeadOrder()
    poll(order, aHeader(5))
    expect(order.tell(aHeader(4))).toBe(false)
    expect(order.current()).toEqual(aHeader(5))
  })

  it('given the socket tells a block while a poll asks, then the answer is of before', () => {
    const order = createHeadOrder()
    poll(order, aHeader(4))
    const before = order.toldCount()
    order.tell(aHeader(5))
    expect(order.poll(aHeader(4), before)).toBe(false)
    expect(poll(order, aHeader(5))).toBe(false)
    expect(order.current()).toEqual(aHeader(5))
  })

  it('given another block of the same height or above, then a reorg is new from either', () => {
    const order = createHeadOrder()
    poll(order, aHeader(5))
    expect(order.tell(aHeader(5, 'b'))).toBe(true)
    expect(poll(order, aHeader(5, 'c'))).toBe(true)
    expect(order.tell(aHeader(6, 'd'))).toBe(true)
  })

  it('given a lower head, then it is new at the second poll in a row that finds it', () => {
    const order = createHeadOrder()
    poll(order, aHeader(5))
    expect(poll(order, aHeader(4))).toBe(false)
    // A second node of the same URL was late.
    expect(poll(order, aHeader(5))).toBe(false)
    expect(poll(order, aHeader(4))).toBe(false)
    expect(poll(order, aHeader(4))).toBe(true)
    expect(order.current()).toEqual(aHeader(4))
  })
})
