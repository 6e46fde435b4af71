import {
  decodePaymentRequiredHeader,
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodePaymentRequired,
  encodePaymentSignature,
  type PaymentPayload,
  type PaymentRequired,
} from '../../../client/src/payments/x402.ts'

const requirements = fc.record({
  scheme: fc.constant('exact'),
  network: fc.constant('eip155:8453' as const),
  asset: fc.string(),
  amount: fc.nat().map(String),
  payTo: fc.string(),
  maxTimeoutSeconds: fc.nat(),
  extra: fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
})
const resource = fc.record({ url: fc.webUrl(), description: fc.string({ unit: 'grapheme' }) })
const payment: fc.Arbitrary<PaymentPayload> = fc.record({
  x402Version: fc.constant(2),
  resource,
  accepted: requirements,
  payload: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
})
const challenge: fc.Arbitrary<PaymentRequired> = fc.record({
  x402Version: fc.constant(2),
  error: fc.string({ unit: 'grapheme' }),
  resource,
  accepts: fc.array(requirements),
})

test('given any payment, then its header is that of @x402/core', () => {
  fc.assert(
    fc.property(payment, (message) => {
      const header = encodePaymentSignature(message)
      expect(header).toBe(encodePaymentSignatureHeader(message))
      expect(JSON.stringify(decodePaymentSignatureHeader(header))).toBe(JSON.stringify(message))
    }),
  )
})

test('given the header of any challenge by @x402/core, then the challenge is read from it', () => {
  fc.assert(
    fc.property(challenge, (message) => {
      const read = decodePaymentRequired(encodePaymentRequiredHeader(message))
      expect(JSON.stringify(read)).toBe(JSON.stringify(message))
    }),
  )
})

test.each(['', 'a b', '-_-_', 'e30', 'e30=', '{}'])(
  'given the header %j, then it is judged as by @x402/core',
  (header) => {
    expect(outcomeOf(() => decodePaymentRequired(header))).toEqual(outcomeOf(() => decodePaymentRequiredHeader(header)))
  },
)

function outcomeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return 'refused'
  }
}
