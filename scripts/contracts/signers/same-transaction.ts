import {
  type Address,
  type Hex,
  isAddressEqual,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'

const fields = ['chainId', 'nonce', 'to', 'data', 'value', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const

/**
 * Compares a signed transaction with the requested one. @throws Error if the transactions differ, or if another account
 * signed
 */
export async function requireSameTransaction(
  signedTransaction: Hex,
  expectedTransaction: TransactionSerializable & { from: Address },
): Promise<void> {
  const actualTransaction: TransactionSerializable = parseTransaction(signedTransaction)
  const text = (value: unknown) => String(value ?? 0).toLowerCase()
  for (const field of fields) {
    if (text(actualTransaction[field]) === text(expectedTransaction[field])) continue
    throw new Error(
      `the signed transaction has another ${field}: ${text(actualTransaction[field])}, not ${text(expectedTransaction[field])}`,
    )
  }
  const signer = await recoverTransactionAddress({ serializedTransaction: signedTransaction as TransactionSerialized })
  if (!isAddressEqual(signer, expectedTransaction.from)) {
    throw new Error(`the transaction is signed by ${signer}, not by ${expectedTransaction.from}`)
  }
}
