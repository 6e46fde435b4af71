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
  const pace = new ThroughputMeter(() => performance.now())
  return { gone, cut, pace, holder: { client, pace, cut, gone: gone.signal } }
}

/** Requests a slot; `has` tells whether it was given. */
function ask(slots: ReturnType<typeof createBodySemaphore>, { holder }: ReturnType<typeof aHolder>) {
  const asked = { giveBack: () => {}, has: false }
  const taken = slots.take(holder).then((giveBack) => {
    Object.assign(asked, { giveBack, has: true })
  })
  return { asked, taken }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

test('given two slots, then others wait in their order, and a slot released twice counts once', async () => {
  const slots = createBodySemaphore(limits)
  const [a, b, c, d] = Array.from({ length: 4 }, () => ask(slots, aHolder()).asked)
  await settle()
  expect([a, b, c, d].map((asked) => asked?.has)).toEqual([true, true, false, false])
  a?.giveBack()
  a?.giveBack()
  await settle()
  expect([c, d].map((asked) => asked?.has)).toEqual([true, false])
  for (const asked of [b, c, d]) {
    asked?.giveBack()
    await settle()
  }
  expect(d?.has).toBe(true)
})

test('given the maximum of waiting requests, then the next is refused', async () => {
  const slots = createBodySemaphore(limits)
  const all = Array.from({ length: 5 }, () => ask(slots, aHolder()).asked)
  await expect(slots.take(aHolder().holder)).rejects.toMatchObject({
    status: 503,
    options: { headers: { 'Retry-After': '10' } },
  })
  for (const asked of all) {
    await settle()
    asked.giveBack()
  }
})

test('given a waiting request that ends, then the next one gets the slot', async () => {
  const slots = createBodySemaphore(limits)
  const [first, second] = [ask(slots, aHolder()).asked, ask(slots, aHolder()).asked]
  const leaver = aHolder()
  const { taken } = ask(slots, leaver)
  const { asked: next } = ask(slots, aHolder())
  leaver.gone.abort('gone')
  await expect(taken).rejects.toMatchObject({ status: 400 })
  first.giveBack()
  await settle()
  expect(next.has).toBe(true)
  for (const asked of [second, next]) asked.giveBack()
  const late = aHolder()
  late.gone.abort('gone')
  await expect(slots.take(late.holder)).rejects.toMatchObject({ status: 400 })
})

test('given slow holders, then they are cut only while others wait, and only the slow ones', async () => {
  const slots = createBodySemaphore(limits)
  const [slow, quick] = [aHolder(), aHolder()]
  const [ofSlow, ofQuick] = [ask(slots, slow).asked, ask(slots, quick).asked]
  slow.pace.wait()
  quick.pace.wait()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(slow.cut).not.toHaveBeenCalled()

  const { asked: next } = ask(slots, aHolder())
  for (let second = 1; second <= 5; second += 1) {
    expect(slow.cut).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1_000)
    quick.pace.came(1_300)
    quick.pace.wait()
  }
  expect(slow.cut).toHaveBeenCalledWith(expect.objectContaining({ status: 408 }))
  expect(quick.cut).not.toHaveBeenCalled()

  ofSlow.giveBack()
  await settle()
  expect(next.has).toBe(true)
  for (const asked of [ofQuick, next]) asked.giveBack()
})

test('given one client that holds one and requests all, then a client without a slot precedes it', async () => {
  const slots = createBodySemaphore(limits)
  const greedy = Array.from({ length: 4 }, () => ask(slots, aHolder('greedy')).asked)
  const { asked: other } = ask(slots, aHolder('other'))
  await settle()
  greedy[0]?.giveBack()
  await settle()
  expect(other.has).toBe(true)
  expect(greedy.map(({ has }) => has)).toEqual([true, true, false, false])
  for (const asked of [greedy[1], other, greedy[2], greedy[3]]) {
    asked?.giveBack()
    await settle()
  }
})

test('given the maximum of one client’s waiting requests, then the next of another client still waits', async () => {
  const slots = createBodySemaphore({ ...limits, maxWaitingOfOne: 1 })
  const all = Array.from({ length: 3 }, () => ask(slots, aHolder('greedy')).asked)
  await expect(slots.take(aHolder('greedy').holder)).rejects.toMatchObject({ status: 503 })
  all.push(ask(slots, aHolder('other')).asked)
  for (const asked of all) {
    await settle()
    asked.giveBack()
  }
})

test('given a fast holder that holds for long, then it is cut only while another client waits', async () => {
  const slots = createBodySemaphore({ ...limits, floorBytesPerSecond: 0 })
  const [first, second] = [aHolder(), aHolder()]
  const held = [ask(slots, first).asked, ask(slots, second).asked]
  const own = ask(slots, aHolder()).asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect(first.cut).not.toHaveBeenCalled()
  const { asked: other } = ask(slots, aHolder('other'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(first.cut).toHaveBeenCalledWith(expect.objectContaining({ status: 408 }))
  expect(second.cut).toHaveBeenCalled()
  for (const asked of [...held, other, own]) {
    asked.giveBack()
    await settle()
  }
})
