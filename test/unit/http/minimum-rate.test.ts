import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { arriveSteadily, type MinimumRate } from '../../../api/http/bodies/minimum-rate.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const rate: MinimumRate = { stallBytes: 100, stallMs: 1000, limitMs: 60_000 }

/** A body whose chunks arrive after this many milliseconds each; and whether its reader was released. */
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

/** The received bytes, and how the reading ended. `writeMs`: time the reader takes for each chunk. */
async function read(body: ReadableStream<Uint8Array> | null, options: Partial<MinimumRate> = {}, writeMs = 0) {
  const outcome = { bytes: 0, status: 200, sentence: '' }
  const reading = (async () => {
    try {
      for await (const chunk of arriveSteadily(body, { ...rate, ...options })) {
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
  it('when it arrives immediately, then it passes', async () => {
    expect(await read(aBody(times(5, [0, 1000])).body)).toMatchObject({ bytes: 5000, status: 200 })
  })

  it('when there is none, then nothing arrives', async () => {
    expect(await read(null)).toMatchObject({ bytes: 0, status: 200 })
  })

  it('when each hundred bytes take just less than the limit, then it may take any time', async () => {
    expect(await read(aBody(times(50, [999, 100])).body)).toMatchObject({ bytes: 5000, status: 200 })
  })

  it('when it is smaller than a window and arrives in time, then it passes', async () => {
    expect(await read(aBody([[900, 1]]).body)).toMatchObject({ bytes: 1, status: 200 })
  })

  it('when it stops, then 408 and reading ends', async () => {
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

  it('when it arrives byte by byte, then 408 at the end of the window', async () => {
    const { bytes, status, sentence } = await read(aBody(times(1000, [100, 1])).body)
    expect([status, sentence]).toEqual([408, 'The body came too slowly; nothing was kept.'])
    expect(bytes).toBeLessThanOrEqual(10)
  })

  it('when the disk is slow and the client is not, then it passes', async () => {
    expect(await read(aBody(times(10, [10, 10])).body, {}, 5000)).toMatchObject({ bytes: 100, status: 200 })
  })

  it('when it is steady and exceeds the total time, then 408', async () => {
    expect(await read(aBody(times(50, [500, 100])).body, { limitMs: 10_250 })).toEqual({
      bytes: 2000,
      status: 408,
      sentence: 'The body took too long to come whole; nothing was kept.',
    })
  })

  it('when it is interrupted, then 400', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('ECONNRESET')) })
    expect(await read(body)).toMatchObject({ status: 400, sentence: 'The body broke off before its end.' })
  })

  it('when its reader ends early, then it is released', async () => {
    const { body, source } = aBody(times(5, [0, 10]))
    vi.useRealTimers()
    for await (const _ of arriveSteadily(body, rate)) break
    expect(source).toEqual({ isCancelled: true, read: 1 })
  })
})
