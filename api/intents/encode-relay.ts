import { type Address, encodeFunctionData, type Hex } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { PaymentAuthorization } from '../payments/authorization.ts'
import type { BoundIntent } from './intent.ts'
import type { ForwardedLeg } from './relay-mode.ts'

/** What a relayed call is made of: the part of a bound intent that reaches the chain. */
export type RelayCall = Pick<
  BoundIntent,
  | 'leg'
  | 'chainIntentId'
  | 'initiator'
  | 'target'
  | 'calldata'
  | 'escrowAmount'
  | 'actorSignature'
  | 'suffix'
  | 'payment'
>

/** Receiver and calldata of a transaction. */
export interface ChainCall {
  to: Address
  data: Hex
}

/** The transaction of an intent: a call of the forwarder, or its transfer itself. */
export function callOf(call: RelayCall, { forwarder }: Pick<Deployment, 'forwarder'>): ChainCall {
  if (call.leg === 'transfer') return { to: call.target, data: call.calldata }
  return { to: forwarder, data: encodeRelay({ ...call, leg: call.leg }) }
}

/** The forwarder's calldata for an intent. */
export function encodeRelay(call: RelayCall & { leg: ForwardedLeg }): Hex {
  switch (call.leg) {
    case 'paid':
      return encodePaid('relayPaid', call)
    case 'prepaid':
      return encodePaid('relayPrepaid', call)
    case 'signed':
      return encodeSigned(call)
    case 'open':
      return encodeFunctionData({
        abi: paymentForwarderAbi,
        functionName: 'relayOpen',
        args: [call.chainIntentId, call.target, call.calldata],
      })
  }
}

/** The transaction that gives a prepaid authorization's money back to its payer. */
export function refundCallOf(payment: PaymentAuthorization, { forwarder }: Pick<Deployment, 'forwarder'>): ChainCall {
  const data = encodeFunctionData({
    abi: paymentForwarderAbi,
    functionName: 'refundPrepaid',
    args: [authorizationOf(payment), payment.signature],
  })
  return { to: forwarder, data }
}

function encodePaid(functionName: 'relayPaid' | 'relayPrepaid', call: RelayCall): Hex {
  const { chainIntentId, payment, escrowAmount, target, calldata } = call
  if (payment === null) throw new Error(`${functionName} without a payment`)
  return encodeFunctionData({
    abi: paymentForwarderAbi,
    functionName,
    args: [chainIntentId, authorizationOf(payment), payment.signature, escrowAmount, target, calldata],
  })
}

function encodeSigned({ chainIntentId, initiator, actorSignature, suffix, target, calldata }: RelayCall): Hex {
  if (initiator === null || actorSignature === null) throw new Error('relaySigned without a signature')
  return encodeFunctionData({
    abi: paymentForwarderAbi,
    functionName: 'relaySigned',
    args: [chainIntentId, initiator, actorSignature, suffix ?? '', target, calldata],
  })
}

function authorizationOf({ from, value, validAfter, validBefore, nonce }: PaymentAuthorization) {
  return { from, value, validAfter, validBefore, nonce }
}
