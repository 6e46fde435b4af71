import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProbe } from '../../../api/observability/probe.ts'

const LIMITS = { timeoutMs: 2_000, freshMs: 1_000 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a probe', () => {
  it('given many concurrent readers, then there is one measurement a second', async () => {
    const measure = vi.fn(async () => 7)
    const probe = createProbe(measure, LIMITS)
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => probe()))
    expect(new Set(answers.map((answer) => answer.ok && answer.value))).toEqual(new Set([7]))
    vi.advanceTimersByTime(999)
    await probe()
    expect(measure).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(2)
    await probe()
    expect(measure).toHaveBeenCalledTimes(2)
  })

  it('given a measurement that hangs, then a timeout after its bound, then immediately, and no second one meanwhile', async () => {
    const measure = vi.fn(() => new Promise<never>(() => {}))
    const probe = createProbe(measure, LIMITS)
    const first = probe()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await first).toMatchObject({ ok: false, problem: 'timeout' })
    await vi.advanceTimersByTimeAsync(1_001)
    const second = probe()
    await vi.advanceTimersByTimeAsync(0)
    expect(await second).toMatchObject({ ok: false, problem: 'timeout' })
    expect(measure).toHaveBeenCalledTimes(1)
  })

  it('given one that never returns, then another is started after ten seconds, and its answer counts', async () => {
    const measure = vi.fn<() => Promise<number>>(() => new Promise(() => {}))
    const probe = createProbe(measure, LIMITS)
    const first = probe()
    await vi.advanceTimersByTimeAsync(10_001)
    await first
    measure.mockResolvedValue(3)
    expect(await probe()).toMatchObject({ ok: true, value: 3 })
  })

  it('given one that fails, or throws immediately, then failed, and no rejection', async () => {
    const rejecting = createProbe(() => Promise.reject(new Error('no')), LIMITS)
    const throwing = createProbe(() => {
      throw new Error('no')
    }, LIMITS)
    expect(await rejecting()).toMatchObject({ ok: false, problem: 'failed' })
    expect(await throwing()).toMatchObject({ ok: false, problem: 'failed' })
  })

  it('given any end, then no timer is left', async () => {
    await createProbe(async () => 1, LIMITS)()
    expect(vi.getTimerCount()).toBe(0)
  })
})
