import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { arriveSteadily, type MinimumRate } from '../../../api/http/bodies/minimum-rate.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pace: MinimumRate = { stallBytes: 100, stallMs: 1000, limitMs: 60_000 }

/** A body whose chunks come after so many milliseconds each; and whether its reader let go of it. */
function aBody(chunks: readonly [delayMs: number, bytes: number][]) {
  const left = [...chunks]
  const source = { isCancelled: false, read: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = left.shift()
        if (next === undefined) return controller.close()
        const [delayMs, bytes] = next
        await new Promise((resolve) => setTimeout(resolve, delayMs))
        source.read += 1
        controller.enqueue(new Uint8Array(bytes))
      },
      cancel: () => {
        source.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, source }
}

/** What came, and how the reading ended. `writeMs`: what the reader does with each chunk. */
async function read(body: ReadableStream<Uint8Array> | null, options: Partial<MinimumRate> = {}, writeMs = 0) {
  const outcome = { bytes: 0, status: 200, sentence: '' }
  const reading = (async () => {
    try {
      for await (const chunk of arriveSteadily(body, { ...pace, ...options })) {
        outcome.bytes += chunk.length
        await new Promise((resolve) => setTimeout(resolve, writeMs))
      }
    } catch (error) {
      Object.assign(outcome, { status: Reflect.get(error as Error, 'status'), sentence: (error as Error).message })
    }
  })()
  await vi.runAllTimersAsync()
  await reading
  return outcome
}

const times = (count: number, chunk: [number, number]) => Array.from({ length: count }, () => chunk)

describe('given a body', () => {
  it('when it comes at once, then it passes through', async () => {
    expect(await read(aBody(times(5, [0, 1000])).body)).toMatchObject({ bytes: 5000, status: 200 })
  })

  it('when there is none, then nothing comes', async () => {
    expect(await read(null)).toMatchObject({ bytes: 0, status: 200 })
  })

  it('when each hundred bytes take just less than they may, then it may take as long as it likes', async () => {
    expect(await read(aBody(times(50, [999, 100])).body)).toMatchObject({ bytes: 5000, status: 200 })
  })

  it('when it is smaller than a window and comes in time, then it passes through', async () => {
    expect(await read(aBody([[900, 1]]).body)).toMatchObject({ bytes: 1, status: 200 })
  })

  it('when it stops, then 408 and nobody reads on', async () => {
    const { body, source } = aBody([
      [0, 100],
      [1001, 100],
    ])
    expect(await read(body)).toEqual({
      bytes: 100,
      status: 408,
      sentence: 'The body came too slowly; nothing was kept.',
    })
    expect(source.isCancelled).toBe(true)
  })

  it('when it comes drop by drop, then 408 once the window is over', async () => {
    const { bytes, status, sentence } = await read(aBody(times(1000, [100, 1])).body)
    expect([status, sentence]).toEqual([408, 'The body came too slowly; nothing was kept.'])
    expect(bytes).toBeLessThanOrEqual(10)
  })

  it('when the disk is slow and the client is not, then it passes through', async () => {
    expect(await read(aBody(times(10, [10, 10])).body, {}, 5000)).toMatchObject({ bytes: 100, status: 200 })
  })

  it('when it is steady and takes longer than it may in all, then 408', async () => {
    expect(await read(aBody(times(50, [500, 100])).body, { limitMs: 10_250 })).toEqual({
      bytes: 2000,
      status: 408,
      sentence: 'The body took too long to come whole; nothing was kept.',
    })
  })

  it('when it breaks off, then 400', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('ECONNRESET')) })
    expect(await read(body)).toMatchObject({ status: 400, sentence: 'The body broke off before its end.' })
  })

  it('when its reader leaves early, then it is let go', async () => {
    const { body, source } = aBody(times(5, [0, 10]))
    vi.useRealTimers()
    for await (const _ of arriveSteadily(body, pace)) break
    expect(source).toEqual({ isCancelled: true, read: 1 })
  })
})
