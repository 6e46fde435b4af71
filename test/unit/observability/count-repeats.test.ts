import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../../api/config.ts'
import { createLogger } from '../../../api/observability/logger.ts'
import { captureLog } from '../../support/captured-log.ts'
import { needed } from '../config/needed.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

function openLog() {
  const lines = captureLog()
  return { lines, log: createLogger({ config: readConfig(needed), destination: lines }) }
}

test('given 240 equal warnings in a minute, then one is written, and the next one tells how many were left out', () => {
  const { log, lines } = openLog()
  const fail = (requestId: string) => log.warn({ err: new Error('no answer'), loop: 'outbox', requestId }, 'it failed')
  for (let count = 0; count < 240; count += 1) {
    fail(String(count))
    vi.advanceTimersByTime(240)
  }
  expect(lines.lines('it failed')).toHaveLength(1)
  vi.advanceTimersByTime(3_000)
  fail('last')
  expect(lines.lines('it failed').map(({ leftOut }) => leftOut)).toEqual([undefined, 239])
})

test('given warnings that differ in a fact or in their error, then each is written', () => {
  const { log, lines } = openLog()
  log.warn({ err: new Error('no answer'), loop: 'outbox' }, 'it failed')
  log.warn({ err: new Error('no answer'), loop: 'keeper' }, 'it failed')
  log.warn({ err: new Error('refused'), loop: 'keeper' }, 'it failed')
  log.warn('a sentence alone')
  log.error({ err: new Error('no answer'), loop: 'outbox' }, 'it failed')
  log.error({ err: new Error('no answer'), loop: 'outbox' }, 'it failed')
  expect(lines.lines()).toHaveLength(6)
})
