import { expect, test } from 'vitest'
import { callOf } from '../../../api/writes/stages/call-of.ts'

const deps = { writes: { nextChainIntentId: () => '0x01' }, deployment: { usdc: '0x02' } } as never
const write = { operation: 'tasks.cancel', charge: () => ({ amount: 0n, escrow: 0n }) }
const signed = { actor: `0x${'11'.repeat(20)}`, signature: '0xab', suffix: '' }

test.each([
  ['signed without a signature', 'signed', null],
  ['paid without a payment, though something is signed', 'paid', signed],
  ['admitted in no mode, though something is signed', null, signed],
])('given a forwarded call that is %s, then nothing is made that a relayer could send', (_, mode, signature) => {
  const admitted = { write, mode, signed: signature, payment: null, head: { number: 1n } } as never
  const prepared = { target: '0x03', data: '0x', content: {} } as never
  expect(() => callOf(deps, admitted, prepared)).toThrow('without a proof of its actor')
})
