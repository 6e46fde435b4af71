import fc from 'fast-check'
import { type Address, bytesToHex, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { callOf, refundCallOf } from '../../../api/intents/encode-relay.ts'
import { type Payment, refundTransactionOf, relayModes, transactionOf } from '../../../protocol/relay.ts'

const forwarder: Address = `0x${'0f'.repeat(20)}`
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value): Hex => bytesToHex(value))
const someBytes = fc.uint8Array({ maxLength: 200 }).map((value): Hex => bytesToHex(value))
const amount = fc.bigInt(0n, 2n ** 72n)
const payments: fc.Arbitrary<Payment> = fc.record({
  from: bytes(20),
  value: amount,
  validAfter: amount,
  validBefore: amount,
  nonce: bytes(32),
  signature: someBytes,
})
const calls = fc.record({ target: bytes(20), data: someBytes, escrowAmount: amount })
const signed = fc.record({ actor: bytes(20), signature: someBytes, suffix: fc.string({ maxLength: 80 }) })

test('given any call, then its transaction is the one of encode-relay', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...relayModes),
      bytes(32),
      calls,
      payments,
      signed,
      (mode, intentId, call, payment, signature) => {
        const { actor, suffix } = signature
        const relay = mode === 'open' ? { mode } : mode === 'signed' ? { mode, ...signature } : { mode, payment }
        const old = {
          leg: mode,
          chainIntentId: intentId,
          initiator: actor,
          target: call.target,
          calldata: call.data,
          escrowAmount: call.escrowAmount,
          actorSignature: signature.signature,
          suffix,
          payment,
        }
        expect(transactionOf({ kind: 'market', intentId, relay, call }, { forwarder })).toEqual(
          callOf(old, { forwarder }),
        )
        expect(transactionOf({ kind: 'transfer', call }, { forwarder })).toEqual(
          callOf({ ...old, leg: 'transfer' }, { forwarder }),
        )
        expect(refundTransactionOf(payment, { forwarder })).toEqual(refundCallOf(payment, { forwarder }))
      },
    ),
  )
})
