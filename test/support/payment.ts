import type { Hex } from 'viem'

/** What a 402 asks for, as a plain client reads it out of the body. */
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

/** What may be wrong with a payment on purpose. */
export interface Authorization {
  from: Hex
  to: Hex
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

/** A signed payment: the header's value, and what is in it. */
export interface Payment {
  header: string
  authorization: Authorization
  signature: Hex
}
