import type { Address, Hex } from 'viem'

/** A transaction before it is signed. All of them go to chain `chainId` and carry no ether. */
export interface UnsignedTransaction {
  chainId: number
  to: Address
  data: Hex
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** An account that pays the gas of relayed writes. The forwarder lets it spend gas and nothing else. */
export interface Relayer {
  address: Address
  /** The signed transaction's bytes, ready to send. */
  sign(transaction: UnsignedTransaction): Promise<Hex>
}
