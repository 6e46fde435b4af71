import type { RelayMode } from '../../protocol/relay.ts'

/** How a write reaches the chain: by a call of the forwarder, or as a transfer that its owner has signed. */
export type RelayLeg = RelayMode | 'transfer'

/** The legs on which the forwarder makes the call. */
export type ForwardedLeg = RelayMode
