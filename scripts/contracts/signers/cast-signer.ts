import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Address, getAddress, type Hex, isHex, type LocalAccount, type TransactionSerializable } from 'viem'
import { toAccount } from 'viem/accounts'
import { findFoundryBinary } from '../forge.ts'
import { requireSameTransaction } from './same-transaction.ts'

const run = promisify(execFile)
/** Time limit for a person to unlock a device, read the transaction on it and press its buttons, milliseconds. */
const TIMEOUT = 300_000
/** Maximum size of cast's output, bytes. The largest output is a signed creation of a contract, in hex. */
const LARGEST_OUTPUT = 1024 * 1024

/**
 * Opens an account whose transactions the program `cast` signs. Each signed transaction is compared with the requested
 * one before it is sent.
 * @param wallet cast's options that name the account. Example: `['--ledger']`
 */
export async function openCastSigner(wallet: readonly string[]): Promise<LocalAccount> {
  const address = getAddress(await cast(['wallet', 'address', ...wallet]))
  const refuse = () => Promise.reject(new Error('This account signs transactions only.'))
  return toAccount({
    address,
    signMessage: refuse,
    signTypedData: refuse,
    signTransaction: (transaction) => signTransaction(transaction, { address, wallet }),
  })
}

async function signTransaction(
  transaction: TransactionSerializable,
  { address, wallet }: { address: Address; wallet: readonly string[] },
): Promise<Hex> {
  const { to, data, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, chainId } = transaction
  if (transaction.type !== 'eip1559' || to == null || data === undefined) {
    throw new Error('only EIP-1559 calls are signed')
  }
  const fields = [
    ['--nonce', nonce],
    ['--gas-limit', gas],
    ['--gas-price', maxFeePerGas],
    ['--priority-gas-price', maxPriorityFeePerGas],
    ['--chain', chainId],
  ].flatMap(([name, value]) => [String(name), String(value)])
  console.error(`Confirm transaction ${nonce} on the device ...`)
  const signedTransaction = await cast(['mktx', to, data, ...fields, ...wallet])
  if (!isHex(signedTransaction)) throw new Error('cast returned no transaction')
  await requireSameTransaction(signedTransaction, { ...transaction, from: address })
  return signedTransaction
}

async function cast(words: string[]): Promise<string> {
  try {
    const { stdout } = await run(findFoundryBinary('cast'), words, { timeout: TIMEOUT, maxBuffer: LARGEST_OUTPUT })
    return stdout.trim()
  } catch (cause) {
    const text = (cause as { stderr?: string }).stderr?.trim()
    throw new Error(
      `cast ${words[0]} failed: ${text || 'it did not answer'}. Unlock the device, open its Ethereum app, allow blind signing there, and run the same command again.`,
    )
  }
}
