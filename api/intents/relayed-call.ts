import {
  type ForwardedKind,
  type Payment,
  type Relay,
  type RelayedCall,
  type RelayMode,
  type SubmittedKind,
  type TransactionCall,
  transactionOf,
} from '../../protocol/relay.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { ForwardedIntent, SubmittedIntent } from './intent.ts'

/** The fields of an intent from which its transaction is built. */
export type RelayFields =
  | Pick<ForwardedIntent, 'kind' | 'chainIntentId' | 'target' | 'calldata' | 'relay' | 'escrowAmount'>
  | Pick<SubmittedIntent, 'kind' | 'chainIntentId' | 'target' | 'calldata'>

/**
 * The fields of an intent that contain its relay: the relay mode and the payment. A call that its owner signed has no
 * relay.
 */
type RelayOf = { kind: ForwardedKind; relay: Relay } | { kind: SubmittedKind }

/** Returns the transaction of an intent. */
export function transactionOfIntent(fields: RelayFields, deployment: Pick<Deployment, 'forwarder'>): TransactionCall {
  return transactionOf(toRelayedCall(fields), deployment)
}

/**
 * Returns the relay mode of an intent. Null if the intent's call contains the signature of the owner of the assets and
 * is submitted without the forwarder.
 */
export function relayModeOfIntent(intent: RelayOf): RelayMode | null {
  return 'relay' in intent ? intent.relay.mode : null
}

/** Returns the payment of an intent; null if the write is free. */
export function paymentOf(intent: RelayOf): Payment | null {
  return 'relay' in intent && 'payment' in intent.relay ? intent.relay.payment : null
}

function toRelayedCall(fields: RelayFields): RelayedCall {
  const { target, calldata: data } = fields
  if (!('relay' in fields)) return { kind: fields.kind, call: { target, data } }
  const { kind, chainIntentId: intentId, relay, escrowAmount } = fields
  return { kind, intentId, relay, call: { target, data, escrowAmount } }
}
