/** How a write reaches the chain: paid by an authorization, free in the name of a signer, or open to anyone. */
export type Leg = 'paid' | 'signed' | 'open'

/** How a write reaches the chain: a leg of the definition, or the one for a payment that another account settled. */
export type RelayLeg = Leg | 'prepaid'
