import { expect, test } from 'vitest'
import { signatureSuffixOf } from '../../../protocol/claim-round.ts'

test.each([
  [0, ''],
  [1, ':1'],
  [2, ':2'],
])('given round %d, then claim and forfeit sign the tail "%s"', (claimRound, suffix) => {
  expect(signatureSuffixOf({ claimRound })).toBe(suffix)
})
