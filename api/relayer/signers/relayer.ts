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
  /** The value in wei. Relayed writes transfer no ether; only the transaction that drains a relayer does. */
  value?: bigint
}

/** An account that sends relayed writes and pays their gas. The forwarder grants the account no other right. */
export interface Relayer {
  /** The address of the account, in lower case. */
  address: Address
  kind: SignerKind
  /**
   * True if another process holds the key, so that a signature takes time and may fail. Such a signature is requested
   * outside every database transaction.
   */
  isRemote: boolean
  /** Returns false for some seconds after the signer failed; during this time `sign` throws at once. */
  isReady(): boolean
  /** Returns the number of the signer's failures since its last signature. */
  failures(): number
  /** Returns true while work passed to `inTurn` is running. A local signer is never busy. */
  isBusy(): boolean
  /** Resolves when the work that was passed to `inTurn` so far has ended. */
  whenFree(): Promise<void>
  /**
   * Runs work that reads the next nonce and signs with it. With a remote signer the work is run one at a time, because
   * concurrent work would read the same nonce.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Signs a transaction. Returns the bytes to send, whose signature recovers to `address`.
   * @throws SignerUnavailable if the signer gave no correct signature in time; then nothing exists that could be sent
   */
  sign(transaction: UnsignedTransaction): Promise<Hex>
}

/** The error for a signer that gave no usable signature. The transaction can be signed later, or by another relayer. */
export class SignerUnavailable extends Error {
  override name = 'SignerUnavailable'
}
