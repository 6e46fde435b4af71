import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { toAddressOrNull } from '../../../src/rules/nullable-address.ts'

test('the zero address is nobody, any other stays', () => {
  expect(toAddressOrNull(zeroAddress)).toBeNull()
  expect(toAddressOrNull(`0x${'00'.repeat(19)}01`)).toBe(`0x${'00'.repeat(19)}01`)
})
