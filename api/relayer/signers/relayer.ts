import type { Address, Hex } from 'viem'
import type { SignerKind } from '../../../settings/signer-urls.ts'

/** A transaction before it is signed. All of them go to chain `chainId`. */
export interface UnsignedTransaction {
  chainId: number
  to: Address
  data: Hex
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Wei. Relayed writes carry none; draining a relayer does. */
  value?: bigint
}

/** An account that pays the gas of relayed writes. The forwarder lets it spend gas and nothing else. */
export interface Relayer {
  /** Lower case. */
  address: Address
  kind: SignerKind
  /**
   * True: another process holds the key, so that a signature takes a while and may not come at all. It is asked for outside of
   * every database transaction.
   */
  isRemote: boolean
  /** False for a while after its signer failed: then `sign` throws at once. */
  isReady(): boolean
  /** Failures of its signer since the last signature. */
  failures(): number
  /** True while work of `inTurn` is not over. A local signer is never busy. */
  isBusy(): boolean
  /** Resolves when the work of now is over. */
  whenFree(): Promise<void>
  /**
   * Runs work that reads the next nonce and has it signed, one after the other where the signer is remote: each would take the nonce
   * of the one before.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Signs a transaction. Its bytes are ready to send, and recover to `address`.
   * @throws SignerUnavailable when there is no signature in time, or one that is wrong: nothing was signed that could be sent
   */
  sign(transaction: UnsignedTransaction): Promise<Hex>
}

/** A signer gave no signature that can be used. What was to be signed can be signed later, or by another relayer. */
export class SignerUnavailable extends Error {
  override name = 'SignerUnavailable'
}
