import type { Address, Hex } from 'viem'
import type { SignerKind } from '../../../settings/signer-urls.ts'

/** An unsigned transaction for chain `chainId`. */
export interface UnsignedTransaction {
  chainId: number
  to: Address
  data: Hex
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** The value in wei. Relayed writes carry none; draining a relayer does. */
  value?: bigint
}

/** An account that pays the gas of relayed writes. The forwarder permits it nothing else. */
export interface Relayer {
  /** The account in lower case. */
  address: Address
  kind: SignerKind
  /**
   * True if another process holds the key, so that a signature takes a while and may fail. It is requested outside of
   * every database transaction.
   */
  isRemote: boolean
  /** Returns false for a while after its signer failed: then `sign` throws at once. */
  isReady(): boolean
  /** Returns the failures of its signer since the last signature. */
  failures(): number
  /** Returns true while work of `inTurn` runs. A local signer is never busy. */
  isBusy(): boolean
  /** Resolves when the present work is over. */
  whenFree(): Promise<void>
  /**
   * Runs work that reads the next nonce and signs it, one after the other with a remote signer, because each would
   * otherwise take the same nonce.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Signs a transaction. Its bytes are ready to send, and recover to `address`.
   * @throws SignerUnavailable without a correct signature in time: nothing was signed that could be sent
   */
  sign(transaction: UnsignedTransaction): Promise<Hex>
}

/** Thrown when a signer gave no usable signature. The transaction can be signed later, or by another relayer. */
export class SignerUnavailable extends Error {
  override name = 'SignerUnavailable'
}
