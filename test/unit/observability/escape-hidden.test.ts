import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../../../api/config.ts'
import { createLogger } from '../../../api/observability/logger.ts'
import { escapeHidden } from '../../../api/text/escape-hidden.ts'
import { tailOf } from '../../../ops/process/child.ts'
import { captureLog } from '../../support/captured-log.ts'
import { needed } from '../config/needed.ts'

/** Characters that control a terminal: controls of both sets but line feed and tab, and marks that change the direction. */
const OBEYED = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
const hostile = 'Title\u001b[31m\u009b31m\u202etxt.exe\u2066\u200f\r\b\u007f'

test('given any text, then it has no control characters, and visible text is not changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(escapeHidden(text)).not.toMatch(OBEYED)
      expect(escapeHidden(escapeHidden(text))).toBe(escapeHidden(text))
    }),
  )
  for (const visible of ['a\tb\nc', 'Ünïcödé 漢字 عربى', '👩‍👩‍👧 नि', '<b>'])
    expect(escapeHidden(visible)).toBe(visible)
})

test('given a log line with text of a caller, then it has no control characters, and parses to the text', () => {
  const captured = captureLog()
  createLogger({ config: readConfig(needed), destination: captured }).info(
    { revert: hostile, err: new Error(hostile) },
    'cannot act',
  )
  expect(captured.text()).not.toMatch(OBEYED)
  expect(captured.lines('cannot act')).toMatchObject([{ revert: hostile, err: { message: hostile } }])
  // Without the escape the same line has them.
  const raw = captureLog()
  pino({ level: 'info' }, raw).info({ revert: hostile }, 'cannot act')
  expect(raw.text()).toMatch(OBEYED)
})

test('given the end of a child’s log, then it is printed without them', () => {
  const tail = tailOf(`first\r\n${hostile}\nlast\n`)
  expect(tail).not.toMatch(OBEYED)
  expect(tail.split('\n')).toHaveLength(3)
})
