import type { Hex } from 'viem'
import type { TransactionCall } from '../../protocol/relay.ts'
import type { Transaction } from '../db/client.ts'

/** A call that runs only the deployment's code. A relayer can sign it in the binding transaction. */
export interface DirectCall {
  intentId: string
  call: TransactionCall
  /** The gas limit of the transaction; null if it is the gas of the simulation plus a margin. */
  gasLimit: bigint | null
  /** The time from which the call has no effect, in Unix seconds. Null if the call has no expiry. */
  validBefore: bigint | null
}

/** A signed transaction. Its bytes are stored by `store` and sent by `send`. */
export interface SignedDirectly {
  hash: Hex
  /** Stores the signed bytes. Call it in the database transaction that signed them. */
  store(): Promise<void>
  /** Sends the signed bytes. Call it after the database transaction that stored the bytes was committed. */
  send(): void
}

/** A call that a relayer of this process can sign. */
export interface DirectRelay {
  /**
   * Takes one of a limited number of slots. One slot permits one call to be signed in the binding transaction, the
   * database transaction that binds the intent of the call.
   * @param simulatedAt the start of the call's simulation, by `performance.now()`
   * @returns false if no slot is free or the simulation is too old; then the outbox relays the call
   */
  begin(simulatedAt: number): boolean
  /** Releases the slot that `begin` took. Call it after the binding transaction has ended. */
  end(): void
  /**
   * Takes the relayer's next nonce and signs the call, in the binding transaction. The nonce sequence stays locked
   * until the transaction ends. The caller must lock the intent's row first.
   * @param gas the gas that the simulation used
   */
  sign(tx: Transaction, gas: bigint): Promise<SignedDirectly>
}

/**
 * Decides which calls can be signed in the database transaction that binds their intent. All other calls are signed
 * later, by the outbox.
 */
export interface DirectRelays {
  /** Returns a relay for the call; null if the outbox must relay it. */
  plan(call: DirectCall): Promise<DirectRelay | null>
}
