import fc from 'fast-check'
import { type Address, bytesToHex, decodeFunctionData, getAddress, type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import {
  type ContractCall,
  decodeRefundExecution,
  type Payment,
  type Relay,
  refundExecutionOf,
  refundTransactionOf,
  relayModes,
  type TransactionCall,
  transactionOf,
} from '../../../protocol/relay.ts'

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
const calls: fc.Arbitrary<ContractCall> = fc.record({ target: bytes(20), data: someBytes, escrowAmount: amount })
const signatures = fc.record({ actor: bytes(20), signature: someBytes, suffix: fc.string({ maxLength: 80 }) })
const relays: fc.Arbitrary<Relay> = fc
  .tuple(fc.constantFrom(...relayModes), payments, signatures)
  .map(([mode, payment, signature]) => {
    if (mode === 'open') return { mode }
    if (mode === 'bound') return { mode, payment: { ...payment, salt: keccak256(payment.nonce) } }
    return mode === 'signed' ? { mode, ...signature } : { mode, payment }
  })

/** Decodes a transaction as the forwarder reads it. */
function readByForwarder({ to, data }: TransactionCall) {
  expect(to).toBe(forwarder)
  return decodeFunctionData({ abi: paymentForwarderAbi, data })
}

function onChain({ signature, ...payment }: Payment) {
  return [{ ...payment, from: getAddress(payment.from) }, signature] as const
}

test('given any forwarded call, then the forwarder reads who acts, what proves it, and the call', () => {
  fc.assert(
    fc.property(fc.constantFrom('market', 'registry'), bytes(32), relays, calls, (kind, intentId, relay, call) => {
      const read = readByForwarder(transactionOf({ kind, intentId, relay, call }, { forwarder }))
      const target = [getAddress(call.target), call.data]
      switch (relay.mode) {
        case 'paid':
        case 'prepaid':
          expect(read).toEqual({
            functionName: relay.mode === 'paid' ? 'relayPaid' : 'relayPrepaid',
            args: [intentId, ...onChain(relay.payment), call.escrowAmount, ...target],
          })
          break
        case 'bound': {
          const { salt, ...payment } = relay.payment
          const args = [intentId, ...onChain(payment), call.escrowAmount, salt, ...target]
          expect(read).toEqual({ functionName: 'relayBound', args })
          break
        }
        case 'signed': {
          const signed = [getAddress(relay.actor), relay.signature, relay.suffix]
          expect(read).toEqual({ functionName: 'relaySigned', args: [intentId, ...signed, ...target] })
          break
        }
        case 'open':
          expect(read).toEqual({ functionName: 'relayOpen', args: [intentId, ...target] })
      }
    }),
  )
})

test('given any submitted call, then it is the transaction itself', () => {
  fc.assert(
    fc.property(fc.constantFrom('transfer', 'claim'), calls, (kind, { target, data }) => {
      expect(transactionOf({ kind, call: { target, data } }, { forwarder })).toEqual({ to: target, data })
    }),
  )
})

test('given any payment, then its refund names it with its signature', () => {
  fc.assert(
    fc.property(payments, (payment) => {
      const read = readByForwarder(refundTransactionOf(payment, { forwarder }))
      expect(read).toEqual({ functionName: 'refundPrepaid', args: onChain(payment) })
    }),
  )
})

test('given any transaction, then it is read as the payment of a refund only if it is one', () => {
  fc.assert(
    fc.property(bytes(32), payments, someBytes, (refundId, payment, data) => {
      const { data: execution } = refundExecutionOf(refundId, { forwarder })
      expect(readByForwarder({ to: forwarder, data: execution })).toEqual({
        functionName: 'executeRefund',
        args: [refundId],
      })
      expect(decodeRefundExecution(execution)).toBe(refundId)
      const others = [
        refundTransactionOf(payment, { forwarder }, 'announceRefund').data,
        `${execution}00` as const,
        data,
      ]
      for (const other of others) expect(decodeRefundExecution(other)).toBeNull()
    }),
  )
})
