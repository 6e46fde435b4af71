import type { Address, Hex, PrivateKeyAccount } from 'viem'
import type { CallDeployment } from '../../../protocol/operation.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { Actor } from '../../support/actors.ts'
import type { WriteCall } from '../../support/paying-client.ts'
import type { EntitlementReply, TestVault } from '../../support/sponsor.ts'
import type { Random } from '../random.ts'
import type { Outcome } from './outcome.ts'

/** How a write reaches the chain, from the view of its client; submitted: as its owner signed it. */
export type FaultMode = 'paid' | 'signed' | 'submitted'

/** How a class of writes is paid, and what it does on chain. */
export interface OperationClass {
  mode: FaultMode
  /** Prepares what the write needs, through the service, and makes the write. */
  prepare(preparation: Preparation): Promise<Draft>
}

/** The means to make a write of a class. */
export interface Preparation {
  /** The same for the same seed and fault case, independent of earlier cases. */
  random: Random
  /** A new wallet with this many base units of USDC. */
  wallet(baseUnits: bigint): Promise<PrivateKeyAccount>
  /** An API process that is up, for requests outside the pipeline; its `fetch` records evidence. */
  reach(): Promise<Reached>
  /** Unix seconds of the chain's head. */
  now(): Promise<bigint>
  /** Tasks that are created from now on earn token bonuses. */
  startBonus(): Promise<void>
  /** A reward of an approved vault that a worker can claim. */
  makeReward(worker: Pick<Actor, 'address' | 'account'>): Promise<{ vault: TestVault; entitlement: EntitlementReply }>
  /** Performs a write that the prepared one depends on; throws unless it completes. */
  perform(write: Draft): Promise<Outcome & { kind: 'completed' }>
}

/** An API process, and how a client sends to it. */
export interface Reached {
  url: string
  fetch: typeof globalThis.fetch
}

/** A write ready to be sent. */
export interface PreparedWrite {
  /** For messages. */
  id: string
  mode: FaultMode
  call: WriteCall
  /** Payer or signer. */
  account: PrivateKeyAccount
  /** Charge of its payer, base units; 0 unless paid. */
  charge: bigint
  /** The event that is its effect, of the market unless `contract` differs: one of a completed write, else none. */
  effect: {
    event: string
    contract?: 'usdc' | 'bonusHook' | 'vault'
    args: Record<string, Address | Hex | bigint | string>
  }
  /** The call that its payment is bound to; absent: the payment is plain. */
  boundCall?: (deployment: CallDeployment) => ContractCall
  /** Nonce of the authorization in the body of a submitted one. */
  nonce?: Hex
  /** It runs code of other accounts: hooks of a requester, or a contract wallet. Default: no. */
  isForeign?: boolean
}

/** A write that has no name for messages yet. */
export type Draft = Omit<PreparedWrite, 'id'>

/** The classes, by name. */
export type Operations = Record<string, OperationClass>
