import { afterEach, expect, test, vi } from 'vitest'
import { shareNext } from '../../../api/concurrency/share-next.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Runs that end when a test says so. */
function heldRuns() {
  const runs: { resolve(found: string): void; reject(error: Error): void }[] = []
  const run = () => new Promise<string>((resolve, reject) => runs.push({ resolve, reject }))
  return { runs, run }
}

test('given calls during a run, then they share the next, which begins when it has ended, and so on', async () => {
  const { runs, run } = heldRuns()
  const read = shareNext(run)
  const first = read()
  const second = [read(), read(), read()]
  expect(runs).toHaveLength(1)
  runs[0]?.resolve('one')
  expect(await first).toBe('one')
  await vi.waitFor(() => expect(runs).toHaveLength(2), 60_000)
  const third = read()
  runs[1]?.resolve('two')
  expect(await Promise.all(second)).toEqual(['two', 'two', 'two'])
  await vi.waitFor(() => expect(runs).toHaveLength(3), 60_000)
  runs[2]?.resolve('three')
  expect(await third).toBe('three')
})

test('given one call after the other, then each has a run of its own', async () => {
  let count = 0
  const read = shareNext(async () => ++count)
  expect([await read(), await read(), await read()]).toEqual([1, 2, 3])
})

test('given a run that fails, then its own calls fail, and the next begins', async () => {
  const { runs, run } = heldRuns()
  const read = shareNext(run)
  const first = read()
  const second = read()
  runs[0]?.reject(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await vi.waitFor(() => expect(runs).toHaveLength(2), 60_000)
  runs[1]?.resolve('two')
  expect(await second).toBe('two')
})

test('given a shared run that fails, then each of its calls makes a run of its own', async () => {
  const { runs, run } = heldRuns()
  const read = shareNext(run)
  const calls = [read(), read(), read()]
  runs[0]?.resolve('one')
  await vi.waitFor(() => expect(runs).toHaveLength(2), 60_000)
  runs[1]?.reject(new Error('gone'))
  await vi.waitFor(() => expect(runs).toHaveLength(4), 60_000)
  runs[2]?.resolve('two')
  runs[3]?.resolve('three')
  expect(await Promise.all(calls)).toEqual(['one', 'two', 'three'])
})

test('given a shared run that hangs, then each of its calls makes a run of its own after a quarter of a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { runs, run } = heldRuns()
  const read = shareNext(run)
  const calls = [read(), read(), read()]
  runs[0]?.resolve('one')
  await vi.advanceTimersByTimeAsync(249)
  expect(runs).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toHaveLength(4)
  runs[2]?.resolve('two')
  runs[3]?.resolve('three')
  expect(await Promise.all(calls)).toEqual(['one', 'two', 'three'])
})

test('given a run that hangs, then the next begins all the same', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { runs, run } = heldRuns()
  const read = shareNext(run)
  const first = read()
  const second = read()
  await vi.advanceTimersByTimeAsync(49)
  expect(runs).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toHaveLength(2)
  runs[1]?.resolve('two')
  expect(await second).toBe('two')
  runs[0]?.resolve('one')
  expect(await first).toBe('one')
})

test('given calls at random times, then each gets what a run found that began after it', async () => {
  let begun = 0
  const read = shareNext(async () => {
    const found = ++begun
    await new Promise((resolve) => setImmediate(resolve))
    return found
  })
  const results: Promise<boolean>[] = []
  for (let call = 0; call < 500; call += 1) {
    const before = begun
    results.push(read().then((found) => found > before))
    if (call % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(results)).not.toContain(false)
  expect(begun).toBeLessThan(500)
})
