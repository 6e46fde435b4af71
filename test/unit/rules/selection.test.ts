import { describe, expect, test } from 'vitest'
import { selectionKinds, statusAfterSelection, toSelectionKind } from '../../../src/rules/selection.ts'
import { moveStatus } from '../../../src/rules/task-status.ts'

describe('how a worker came to be assigned', () => {
  test.each([
    [0, 'claim', 'claimed'],
    [1, 'pitch', 'worker_selected'],
    [2, 'bid', 'claimed'],
    [3, 'clock_price', 'claimed'],
  ] as const)('the contract value %i is %s and leads to %s', (value, kind, status) => {
    expect(toSelectionKind(value)).toBe(kind)
    expect(statusAfterSelection(kind)).toBe(status)
  })

  test('a value beyond the enum is refused', () => {
    expect(() => toSelectionKind(selectionKinds.length)).toThrow('selection kind 4')
  })

  test('every kind leads to a status that an open task may move to', () => {
    for (const kind of selectionKinds) {
      expect(() => moveStatus('TaskWorkerSelected', 'open', statusAfterSelection(kind))).not.toThrow()
    }
  })
})
