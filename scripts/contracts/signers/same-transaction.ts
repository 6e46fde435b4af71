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

/** Compares a signed transaction with the requested one. @throws Error if they or their accounts differ */
export async function requireSameTransaction(
  signed: Hex,
  expected: TransactionSerializable & { from: Address },
): Promise<void> {
  const actual: TransactionSerializable = parseTransaction(signed)
  const text = (value: unknown) => String(value ?? 0).toLowerCase()
  for (const field of fields) {
    if (text(actual[field]) === text(expected[field])) continue
    throw new Error(`the signed transaction has another ${field}: ${text(actual[field])}, not ${text(expected[field])}`)
  }
  const signer = await recoverTransactionAddress({ serializedTransaction: signed as TransactionSerialized })
  if (!isAddressEqual(signer, expected.from)) {
    throw new Error(`the transaction is signed by ${signer}, not by ${expected.from}`)
  }
}
