import { describe, expect, test } from 'vitest'
import { selectionKinds, statusAfterSelection, toSelectionKind } from '../../../protocol/rules/selection.ts'
import { moveStatus } from '../../../protocol/rules/task-status.ts'

describe('the selection of a worker', () => {
  test.each([
    [0, 'claim', 'claimed'],
    [1, 'pitch', 'worker_selected'],
    [2, 'bid', 'claimed'],
    [3, 'clock_price', 'claimed'],
  ] as const)('given the contract value %i, then it is %s and leads to %s', (value, kind, status) => {
    expect(toSelectionKind(value)).toBe(kind)
    expect(statusAfterSelection(kind)).toBe(status)
  })

  test('given a value beyond the enum, then it is refused', () => {
    expect(() => toSelectionKind(selectionKinds.length)).toThrow('selection kind 4')
  })

  test('given every kind, then it leads to a status that an open task may have next', () => {
    for (const kind of selectionKinds) {
      expect(() => moveStatus('TaskWorkerSelected', 'open', statusAfterSelection(kind))).not.toThrow()
    }
  })
})
