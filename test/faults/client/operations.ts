import type { Address, Hex, PrivateKeyAccount } from 'viem'
import type { WriteCall } from '../../support/paying-client.ts'
import type { Random } from '../random.ts'
import type { Outcome } from './outcome.ts'

/** How a class of writes is paid, and what it does on chain. */
export interface OperationClass {
  /** As /api/intents names it. */
  operation: string
  leg: 'paid' | 'signed'
  /** Makes what the write needs, through the service, and the write. */
  prepare(preparation: Preparation): Promise<Omit<PreparedWrite, 'id' | 'class'>>
}

/** What a class makes its writes with. */
export interface Preparation {
  random: Random
  /** A new wallet, with so many base units of USDC. */
  wallet(baseUnits: bigint): Promise<PrivateKeyAccount>
  /** One that is up, for requests that are no writes of the pipeline; what goes through its `fetch` is evidence. */
  reach(): Promise<Reached>
  /** Performs a write that the one in preparation builds on; throws unless it completes. */
  perform(write: Omit<PreparedWrite, 'id' | 'class'>): Promise<Outcome & { kind: 'completed' }>
}

/** An API process, and how a client sends to it. */
export interface Reached {
  url: string
  fetch: typeof globalThis.fetch
}

/** A write that only has to be sent. */
export interface PreparedWrite {
  /** For messages. */
  id: string
  class: string
  operation: string
  leg: 'paid' | 'signed'
  call: WriteCall
  /** Payer or signer. */
  account: PrivateKeyAccount
  /** What it costs its payer, base units; 0 on the signed leg. */
  charge: bigint
  /** What comes back to the payer with its effect, base units. */
  returned: bigint
  /** The market's event that is its effect: exactly one of a completed write, none of another. */
  effect: { event: string; args: Record<string, Address | Hex | bigint | string> }
  /** It runs code of other accounts: hooks of a requester's, or a contract wallet. Default: no. */
  isForeign?: boolean
}

/** The classes, by name. */
export type Operations = Record<string, OperationClass>
