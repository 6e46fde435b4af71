import { expect, test } from 'vitest'
import { rewardStateOf } from '../../../../api/domain/sponsored/reward-state.ts'

const charge = { state: 'settled', credited: 10n, paid: 0n, epoch: 3, vaultEpoch: 3 }
const exited = { vaultEpoch: 4 }

test.each([
  ['reserved', { state: 'reserved' }],
  ['reserved', { state: 'credited' }],
  ['credited', {}],
  ['credited', { paid: 9n }],
  ['claimed', { paid: 10n }],
  ['claimed', { paid: 10n, ...exited }],
  ['released', { state: 'released', credited: 0n }],
  ['released', { state: 'released', credited: 0n, ...exited }],
  ['defaulted', { state: 'reserved', credited: 0n, ...exited }],
  ['defaulted', { state: 'credited', ...exited }],
  ['defaulted', { ...exited }],
  ['defaulted', { paid: 9n, ...exited }],
])('%s: %o', (state, changes) => {
  expect(rewardStateOf({ ...charge, ...changes })).toBe(state)
})
