import { type AbiEvent, getAbiItem, type Log, parseEventLogs } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { paymentForwarderBeforeBoundAbi } from '../../abis/payment-forwarder-before-bound.ts'
import type { Deployment } from './deployment.ts'

const intentRelayed = getAbiItem({ abi: paymentForwarderAbi, name: 'IntentRelayed' })
/**
 * The event `IntentRelayed` of forwarders that accept no bound payments. Unlike the present event, it has no escrow
 * amount.
 */
const intentRelayedBeforeBound = getAbiItem({ abi: paymentForwarderBeforeBoundAbi, name: 'IntentRelayed' })
const forms = [intentRelayed, intentRelayedBeforeBound] as const

/** Returns the event `IntentRelayed` in the form that the deployment's forwarder emits. */
export function intentRelayedOf({ bound }: Pick<Deployment, 'bound'>): AbiEvent {
  return bound === true ? intentRelayed : intentRelayedBeforeBound
}

/** Decodes the `IntentRelayed` events in the logs, of forwarders with and without bound payments. */
export function parseRelays(logs: readonly Log<bigint, number, false>[]) {
  return parseEventLogs({ abi: forms, eventName: 'IntentRelayed', logs: [...logs] })
}
