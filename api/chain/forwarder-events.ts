import { type AbiEvent, getAbiItem, type Log, parseEventLogs } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { paymentForwarderBeforeBoundAbi } from '../../abis/payment-forwarder-before-bound.ts'
import type { Deployment } from './deployment.ts'

const intentRelayed = getAbiItem({ abi: paymentForwarderAbi, name: 'IntentRelayed' })
/** It has no escrow. */
const intentRelayedBeforeBound = getAbiItem({ abi: paymentForwarderBeforeBoundAbi, name: 'IntentRelayed' })
const forms = [intentRelayed, intentRelayedBeforeBound] as const

/** The event of a relayed call, as the forwarder of a deployment logs it. */
export function intentRelayedOf({ bound }: Pick<Deployment, 'bound'>): AbiEvent {
  return bound === true ? intentRelayed : intentRelayedBeforeBound
}

/** Decodes the relayed calls among logs, of a present forwarder and of one from before bound payments. */
export function parseRelays(logs: readonly Log<bigint, number, false>[]) {
  return parseEventLogs({ abi: forms, eventName: 'IntentRelayed', logs: [...logs] })
}
