import type { Hex } from 'viem'
import type { TransactionCall } from '../../protocol/relay.ts'
import type { Transaction } from '../db/client.ts'

/** A call that runs only the deployment's code. */
export interface DirectCall {
  intentId: string
  call: TransactionCall
  /** The gas limit of the signature; null: the gas of its simulation, and a margin. */
  gasLimit: bigint | null
  /** The time from which it cannot act, Unix seconds; null: none. */
  validBefore: bigint | null
}

/** Signed bytes, neither stored nor sent yet. */
export interface SignedDirectly {
  hash: Hex
  /** Stores the bytes in the transaction of their signature. */
  store(): Promise<void>
  /** Sends the bytes; call it only after that transaction's commit. */
  send(): void
}

/** A call that a relayer of this process can sign. */
export interface DirectRelay {
  /**
   * Takes a place among the signing binds.
   * @param simulatedAt the start of the call's simulation, by `performance.now()`
   * @returns false without a place or with too old a simulation: the outbox relays the call
   */
  begin(simulatedAt: number): boolean
  /** Releases the place after the binding transaction. */
  end(): void
  /**
   * Claims the next nonce and signs, in the transaction that binds the intent. The nonce sequence stays locked until
   * its end; the intent's row must be locked before.
   * @param gas the gas of that simulation
   */
  sign(tx: Transaction, gas: bigint): Promise<SignedDirectly>
}

/** The relay of a write by the binding process, without the outbox. */
export interface DirectRelays {
  /** Returns a relay; null: the outbox relays the call. */
  plan(call: DirectCall): Promise<DirectRelay | null>
}
