import type { Hex } from 'viem'

/** The requirement of a 402, as a plain client reads it from the body. */
export interface Requirement {
  scheme: string
  network: string
  asset: Hex
  amount: string
  payTo: Hex
  maxTimeoutSeconds: number
  extra: {
    name: string
    version: string
    eip712: {
      domain: Record<string, unknown>
      types: Record<string, { name: string; type: string }[]>
      primaryType: string
    }
  }
}

/** Deliberate faults of a payment. */
export interface Authorization {
  from: Hex
  to: Hex
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

/** A signed payment: the header's value, and its fields. */
export interface Payment {
  header: string
  authorization: Authorization
  signature: Hex
}
