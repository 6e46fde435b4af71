import type { Address, Hex } from 'viem'
import type { SignerKind } from '../../../settings/signer-urls.ts'

/** An unsigned EIP-1559 transaction. */
export interface UnsignedTransaction {
  chainId: number
  to: Address
  data: Hex
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /**
   * The value in wei. Only the transaction that moves all ether out of a relayer has a value; relayed writes transfer
   * no ether.
   */
  value?: bigint
}

/** An account that sends relayed writes and pays for their gas. The forwarder permits the account nothing else. */
export interface Relayer {
  /** The address of the account, in lower case. */
  address: Address
  kind: SignerKind
  /**
   * True if another process holds the key. A signature then takes time and may fail, so it is requested outside every
   * database transaction.
   */
  isRemote: boolean
  /** Returns false for some seconds after the signer failed. During these seconds `sign` throws at once. */
  isReady(): boolean
  /** Returns the number of the signer's failures since its last signature. */
  failures(): number
  /** Returns true while work passed to `inTurn` is running. A local signer is never busy. */
  isBusy(): boolean
  /** Resolves when all work that was passed to `inTurn` has ended. */
  whenFree(): Promise<void>
  /**
   * Runs work that reads the relayer's next nonce and signs a transaction with this nonce. If the signer is remote,
   * only one piece of work runs at a time, so that no two transactions get the same nonce. If the signer is local, the
   * work runs at once.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Signs a transaction and returns the bytes to send. The signature recovers to `address`.
   * @throws SignerUnavailable if the signer gave no correct signature in time; no signed bytes exist then
   */
  sign(transaction: UnsignedTransaction): Promise<Hex>
}

/**
 * The error for a signer that gave no usable signature. The transaction can be signed later, or by a different relayer.
 */
export class SignerUnavailable extends Error {
  override name = 'SignerUnavailable'
}
