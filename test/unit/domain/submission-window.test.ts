import { expect, test } from 'vitest'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { isSubmissionWindowOpen } from '../../../protocol/submission-window.ts'
import { EXPIRY } from '../../support/task-snapshots.ts'

const takesWorkWhile = {
  bounty: 'open',
  benchmark: 'open',
  claim: 'claimed',
  pitch: 'worker_selected',
  auction: 'claimed',
  unknown: null,
} as const

test.each([...taskModes, 'unknown'] as const)(
  'given a %s task, then it accepts deliverables in one status only, and until the second of its expiry',
  (mode) => {
    for (const status of taskStatuses) {
      const task = { mode, status, expiryTime: EXPIRY }
      expect(isSubmissionWindowOpen(task, EXPIRY - 1n)).toBe(takesWorkWhile[mode] === status)
      expect(isSubmissionWindowOpen(task, EXPIRY)).toBe(false)
      expect(isSubmissionWindowOpen(task, EXPIRY + 1n)).toBe(false)
    }
  },
)
