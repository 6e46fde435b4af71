import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { toAddressOrNull } from '../../../protocol/rules/nullable-address.ts'

test('given the zero address, then null; given any other, then that', () => {
  expect(toAddressOrNull(zeroAddress)).toBeNull()
  expect(toAddressOrNull(`0x${'00'.repeat(19)}01`)).toBe(`0x${'00'.repeat(19)}01`)
})
