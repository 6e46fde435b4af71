import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBodySemaphore, type SlotHolder } from '../../../api/http/bodies/body-semaphore.ts'
import { ThroughputMeter } from '../../../api/http/bodies/throughput-meter.ts'

const limits = {
  slots: 2,
  maxWaiting: 3,
  maxWaitingOfOne: 3,
  longestMs: 30_000,
  floorBytesPerSecond: 1_000,
  windowMs: 5_000,
  checkMs: 1_000,
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

function aHolder(client = 'one') {
  const gone = new AbortController()
  const cut = vi.fn<SlotHolder['cut']>()
  const meter = new ThroughputMeter(() => performance.now())
  return { gone, cut, meter, holder: { client, meter, cut, gone: gone.signal } }
}

/** Requests a slot; `has` tells whether it was given. */
function ask(semaphore: ReturnType<typeof createBodySemaphore>, { holder }: ReturnType<typeof aHolder>) {
  const asked = { leave: () => {}, has: false }
  const taken = semaphore.enter(holder).then((leave) => {
    Object.assign(asked, { leave, has: true })
  })
  return { asked, taken }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

test('given two slots, then others wait in their order, and a slot released twice counts once', async () => {
  const semaphore = createBodySemaphore(limits)
  const [a, b, c, d] = Array.from({ length: 4 }, () => ask(semaphore, aHolder()).asked)
  await settle()
  expect([a, b, c, d].map((asked) => asked?.has)).toEqual([true, true, false, false])
  a?.leave()
  a?.leave()
  await settle()
  expect([c, d].map((asked) => asked?.has)).toEqual([true, false])
  for (const asked of [b, c, d]) {
    asked?.leave()
    await settle()
  }
  expect(d?.has).toBe(true)
})

test('given the maximum of waiting requests, then the next is refused', async () => {
  const semaphore = createBodySemaphore(limits)
  const all = Array.from({ length: 5 }, () => ask(semaphore, aHolder()).asked)
  await expect(semaphore.enter(aHolder().holder)).rejects.toMatchObject({
    status: 503,
    options: { headers: { 'Retry-After': '10' } },
  })
  for (const asked of all) {
    await settle()
    asked.leave()
  }
})

test('given a waiting request that ends, then the next one gets the slot', async () => {
  const semaphore = createBodySemaphore(limits)
  const [first, second] = [ask(semaphore, aHolder()).asked, ask(semaphore, aHolder()).asked]
  const leaver = aHolder()
  const { taken } = ask(semaphore, leaver)
  const { asked: next } = ask(semaphore, aHolder())
  leaver.gone.abort('gone')
  await expect(taken).rejects.toMatchObject({ status: 400 })
  first.leave()
  await settle()
  expect(next.has).toBe(true)
  for (const asked of [second, next]) asked.leave()
  const late = aHolder()
  late.gone.abort('gone')
  await expect(semaphore.enter(late.holder)).rejects.toMatchObject({ status: 400 })
})

test('given slow holders, then they are cut only while others wait, and only the slow ones', async () => {
  const semaphore = createBodySemaphore(limits)
  const [slow, quick] = [aHolder(), aHolder()]
  const [ofSlow, ofQuick] = [ask(semaphore, slow).asked, ask(semaphore, quick).asked]
  slow.meter.wait()
  quick.meter.wait()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(slow.cut).not.toHaveBeenCalled()

  const { asked: next } = ask(semaphore, aHolder())
  for (let second = 1; second <= 5; second += 1) {
    expect(slow.cut).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1_000)
    quick.meter.came(1_300)
    quick.meter.wait()
  }
  expect(slow.cut).toHaveBeenCalledWith(expect.objectContaining({ status: 408 }))
  expect(quick.cut).not.toHaveBeenCalled()

  ofSlow.leave()
  await settle()
  expect(next.has).toBe(true)
  for (const asked of [ofQuick, next]) asked.leave()
})

test('given one client that holds one and requests all, then a client without a slot precedes it', async () => {
  const semaphore = createBodySemaphore(limits)
  const greedy = Array.from({ length: 4 }, () => ask(semaphore, aHolder('greedy')).asked)
  const { asked: other } = ask(semaphore, aHolder('other'))
  await settle()
  greedy[0]?.leave()
  await settle()
  expect(other.has).toBe(true)
  expect(greedy.map(({ has }) => has)).toEqual([true, true, false, false])
  for (const asked of [greedy[1], other, greedy[2], greedy[3]]) {
    asked?.leave()
    await settle()
  }
})

test('given the maximum of one client’s waiting requests, then the next of another client still waits', async () => {
  const semaphore = createBodySemaphore({ ...limits, maxWaitingOfOne: 1 })
  const all = Array.from({ length: 3 }, () => ask(semaphore, aHolder('greedy')).asked)
  await expect(semaphore.enter(aHolder('greedy').holder)).rejects.toMatchObject({ status: 503 })
  all.push(ask(semaphore, aHolder('other')).asked)
  for (const asked of all) {
    await settle()
    asked.leave()
  }
})

test('given a fast holder that holds for long, then it is cut only while another client waits', async () => {
  const semaphore = createBodySemaphore({ ...limits, floorBytesPerSecond: 0 })
  const [first, second] = [aHolder(), aHolder()]
  const held = [ask(semaphore, first).asked, ask(semaphore, second).asked]
  const own = ask(semaphore, aHolder()).asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect(first.cut).not.toHaveBeenCalled()
  const { asked: other } = ask(semaphore, aHolder('other'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(first.cut).toHaveBeenCalledWith(expect.objectContaining({ status: 408 }))
  expect(second.cut).toHaveBeenCalled()
  for (const asked of [...held, other, own]) {
    asked.leave()
    await settle()
  }
})
