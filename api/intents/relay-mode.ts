/**
 * How a write reaches the chain: paid by an authorization, free in the name of a signer, open to anyone; or as a transfer
 * that its owner has signed, of USDC or of reward tokens, which needs no forwarder.
 */
export type Leg = 'paid' | 'signed' | 'open' | 'transfer'

/** How a write reaches the chain: a leg of the definition, or the one for a payment that another account settled. */
export type RelayLeg = Leg | 'prepaid'

/** The legs on which the forwarder makes the call. */
export type ForwardedLeg = Exclude<RelayLeg, 'transfer'>
