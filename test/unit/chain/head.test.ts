import { type PublicClient, pad } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChainUnavailable, type ReadHead } from '../../../api/chain/chain.ts'
import { createHeadCache, type HeadCache } from '../../../api/chain/head.ts'
import { isHeadStale } from '../../../protocol/windows.ts'

const NOW = 1_800_000_000n

/** The way in which the node takes a question: it answers, refuses, or leaves it open. */
type Mood = { number: bigint; timestamp: bigint } | 'refuses' | 'hangs'

let mood: Mood
let questions: number
let indexed: ReadHead | null
let heads: HeadCache
/** Answers the questions that were left open. */
let openQuestions: (() => void)[]

beforeEach(() => {
  vi.useFakeTimers({ now: Number(NOW) * 1000, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  mood = { number: 100n, timestamp: NOW }
  questions = 0
  indexed = null
  openQuestions = []
  heads = openHeads({ isLocal: false })
})
afterEach(() => vi.useRealTimers())

function openHeads({ isLocal }: { isLocal: boolean }): HeadCache {
  const getBlock = async ({ blockTag }: { blockTag: string }) => {
    if (blockTag === 'latest') questions += 1
    if (mood === 'refuses') throw new Error('refused')
    const block = { hash: pad('0x01'), parentHash: pad('0x02') }
    if (mood === 'hangs') {
      return await new Promise((resolve) =>
        openQuestions.push(() => resolve({ number: 101n, timestamp: NOW, ...block })),
      )
    }
    return { ...mood, ...block }
  }
  return createHeadCache({ getBlock } as unknown as PublicClient, {
    isLocal,
    findIndexed: () => indexed,
    isStale: isHeadStale,
  })
}

/** Resolves with the answer and how long it took by the clock, milliseconds. */
async function timed<Answer>(ask: () => Promise<Answer>): Promise<{ answer: Answer | Error; milliseconds: number }> {
  const begin = performance.now()
  let took: number | null = null
  const done = ask()
    .catch((error: Error) => error)
    .finally(() => {
      took = performance.now() - begin
    })
  while (took === null) await vi.advanceTimersByTimeAsync(10)
  return { answer: await done, milliseconds: took }
}

describe('a read', () => {
  test('given a node that answers, then it gets a head at most a second old', async () => {
    expect(await heads.head()).toEqual({ number: 100n, timestamp: NOW })
    mood = { number: 101n, timestamp: NOW + 2n }
    expect((await heads.head()).number).toBe(100n)
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await heads.head()).number).toBe(101n)
    expect(questions).toBe(2)
  })

  test.each(['refuses', 'hangs'] as const)(
    'given a node that %s, then only the first read waits, and not for long',
    async (how) => {
      await heads.head()
      mood = how
      await vi.advanceTimersByTimeAsync(1_000)
      const reads = []
      for (let count = 0; count < 50; count += 1) reads.push(await timed(heads.head))
      expect(reads.map(({ answer }) => (answer as ReadHead).number)).toEqual(Array(50).fill(100n))
      expect(reads[0]?.milliseconds).toBeLessThanOrEqual(110)
      expect(reads.slice(1).every(({ milliseconds }) => milliseconds <= 10)).toBe(true)
    },
  )

  test('given a node that answers again, then a read has its head within a second', async () => {
    await heads.head()
    mood = 'refuses'
    await vi.advanceTimersByTimeAsync(1_000)
    await heads.head()
    mood = { number: 130n, timestamp: NOW + 60n }
    await vi.advanceTimersByTimeAsync(1_000)
    await heads.head()
    await vi.advanceTimersByTimeAsync(10)
    expect((await heads.head()).number).toBe(130n)
  })

  test('given a process that starts while no node answers, then its head is the indexed one', async () => {
    mood = 'refuses'
    indexed = { number: 90n, timestamp: NOW - 20n }
    expect(await heads.head()).toEqual(indexed)
    indexed = null
    expect((await timed(heads.head)).answer).toEqual(new Error('refused'))
  })

  test.each([
    ['below the indexed head', { number: 50n, timestamp: NOW }],
    ['of the past', { number: 101n, timestamp: NOW - 300n }],
    ['of the future', { number: 101n, timestamp: NOW + 300n }],
  ])('given a head %s, then the one before stays', async (_name, lie) => {
    indexed = { number: 95n, timestamp: NOW - 10n }
    await heads.head()
    mood = lie
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await heads.head()).number).toBe(100n)
  })

  test('given a local chain with a clock of its own, then its head and its time are taken, and go on without the node', async () => {
    heads = openHeads({ isLocal: true })
    mood = { number: 101n, timestamp: NOW + 86_400n }
    expect(await heads.clocks()).toEqual({ head: NOW + 86_400n, current: NOW + 86_400n })
    mood = 'refuses'
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await heads.clocks()).toEqual({ head: NOW + 86_400n, current: NOW + 86_405n })
  })
})

describe('a write', () => {
  test('given a node that hangs, then the first one learns of it after two seconds, and the next at once', async () => {
    mood = 'hangs'
    const first = await timed(heads.latestHead)
    expect(first.answer).toBeInstanceOf(ChainUnavailable)
    expect(first.milliseconds).toBeLessThanOrEqual(2_010)
    expect((await timed(heads.latestClocks)).milliseconds).toBeLessThanOrEqual(10)
  })

  test('given a node that hangs, then other questions are not asked until it answers', async () => {
    mood = 'hangs'
    await timed(heads.latestHead)
    await expect(heads.unlessHanging(async () => 7n)).rejects.toBeInstanceOf(ChainUnavailable)
    for (const answer of openQuestions) answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(await heads.unlessHanging(async () => 7n)).toBe(7n)
  })

  test('given a node that refuses and answers again, then the next write is admitted', async () => {
    mood = 'refuses'
    expect((await timed(heads.latestHead)).answer).toEqual(new Error('refused'))
    mood = { number: 101n, timestamp: NOW + 2n }
    expect((await heads.latestHead()).number).toBe(101n)
  })

  test('given a question that hung and is answered, then the next write is admitted', async () => {
    mood = 'hangs'
    await timed(heads.latestHead)
    for (const answer of openQuestions) answer()
    await vi.advanceTimersByTimeAsync(0)
    mood = { number: 102n, timestamp: NOW + 2n }
    expect((await heads.latestHead()).number).toBe(102n)
  })
})
