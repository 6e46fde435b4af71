import { expect, test } from 'vitest'
import { ThroughputMeter } from '../../../api/http/bodies/throughput-meter.ts'

const FLOOR = 1_000
const WINDOW_MS = 5_000

function aMeter() {
  const clock = { ms: 0 }
  const meter = new ThroughputMeter(() => clock.ms)
  const isSlow = () => meter.isBelow(FLOOR, WINDOW_MS)
  /** Waits for bytes, then for nothing. */
  const send = (bytes: number, afterMs: number) => {
    meter.wait()
    clock.ms += afterMs
    meter.came(bytes)
  }
  return { clock, meter, isSlow, send }
}

test('given a client that sends nothing, then it is slow at the end of the window, and not before', () => {
  const { clock, meter, isSlow } = aMeter()
  meter.wait()
  clock.ms = WINDOW_MS - 1
  expect(isSlow()).toBeNull()
  clock.ms = WINDOW_MS
  expect(isSlow()).toBe(true)
})

test('given bytes at the minimum rate, then it is not slow, and with one byte less it is', () => {
  for (const [bytes, expected] of [
    [5_000, false],
    [4_999, true],
  ] as const) {
    const { isSlow, send } = aMeter()
    send(bytes, WINDOW_MS)
    expect(isSlow()).toBe(expected)
  }
})

test('given a service that is slow to read the bytes, then the client is not slow', () => {
  const { clock, isSlow, send } = aMeter()
  send(10, 1)
  clock.ms += 60_000
  expect(isSlow()).toBeNull()
})

test('given a fast beginning, then a new window does not count it', () => {
  const { clock, meter, isSlow, send } = aMeter()
  send(1_000_000, 100)
  meter.wait()
  meter.startWindow()
  clock.ms += WINDOW_MS
  expect(isSlow()).toBe(true)
})
