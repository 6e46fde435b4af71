import { readFileSync, writeFileSync } from 'node:fs'
import {
  type Address,
  type Hex,
  isAddressEqual,
  isHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
} from 'viem'
import { z } from 'zod'
import type { ReadClient } from '../chain.ts'
import type { Estimate } from './estimate.ts'
import { readSteps } from './execute.ts'
import type { Plan } from './plan.ts'

/** Returns the gas limit of a transaction: the estimated gas and a quarter more. */
const gasLimitOf = (gas: bigint) => (gas * 5n) / 4n
/**
 * Factor for the gas price that an unsigned transaction offers. People sign and send these transactions later, when gas
 * may cost more.
 */
const PRICE_MARGIN = 2n

/**
 * Writes the missing transactions to a file, so that they can be signed on another machine. They have the order of
 * their nonces. Each contains its fields, and `raw`: the serialized EIP-1559 transaction without a signature.
 * @returns the number of transactions
 */
export async function writeUnsigned(
  client: ReadClient,
  { file, deployer, estimate }: { file: string; deployer: Address; estimate: Estimate },
): Promise<number> {
  const firstNonce = await client.getTransactionCount({ address: deployer, blockTag: 'pending' })
  const transactions = estimate.costs.map(({ step, gas }, index) => {
    const transaction = {
      type: 'eip1559',
      chainId: client.chain.id,
      nonce: firstNonce + index,
      to: step.to,
      value: 0n,
      gas: gasLimitOf(gas),
      maxFeePerGas: estimate.maxFee * PRICE_MARGIN,
      maxPriorityFeePerGas: estimate.priorityFee,
      data: step.data,
    } as const
    return { what: step.what, from: deployer, ...transaction, raw: serializeTransaction(transaction) }
  })
  const toText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  writeFileSync(file, `${JSON.stringify({ transactions }, toText, 2)}\n`)
  return transactions.length
}

/** A signed transaction from the file, and the name of its step. */
export interface SignedStep {
  what: string
  raw: Hex
  nonce: number
}

/**
 * Reads signed transactions from a file: a JSON list of hex texts, or one hex text per line.
 * @returns the transactions of missing steps, in the order of their nonces
 * @throws Error if a transaction is unsigned, is no step of the plan, or belongs to another account or chain; or if the
 * nonces are not the next nonces of the account
 */
export async function readSigned(
  client: ReadClient,
  plan: Plan,
  { file, deployer }: { file: string; deployer: Address },
): Promise<SignedStep[]> {
  const readings = await readSteps(client, plan.steps)
  const signedSteps: SignedStep[] = []
  for (const [index, rawTransaction] of readRawList(file).entries()) {
    const place = `transaction ${index + 1} of ${file}`
    const { chainId, to, data, nonce = 0, value = 0n } = parseTransaction(rawTransaction)
    if (chainId !== client.chain.id) throw new Error(`${place} is for chain ${chainId}, not ${client.chain.id}`)
    const from = await recoverTransactionAddress({
      serializedTransaction: rawTransaction as TransactionSerialized,
    }).catch(() => {
      throw new Error(`${place} has no signature: sign the \`raw\` of the file of --unsigned, and put the result here`)
    })
    if (!isAddressEqual(from, deployer)) throw new Error(`${place} is signed by ${from}, not by ${deployer}`)
    const reading = readings.find(({ step }) => step.data === data && step.to.toLowerCase() === to?.toLowerCase())
    if (reading === undefined || value !== 0n) throw new Error(`${place} is no step of this deployment`)
    if (!reading.isDone) signedSteps.push({ what: reading.step.what, raw: rawTransaction, nonce })
  }
  const sortedSteps = signedSteps.toSorted((first, second) => first.nonce - second.nonce)
  await requireNextNonces(client, sortedSteps, { file, deployer })
  return sortedSteps
}

/**
 * Checks that the nonces are the next nonces of the account, without a gap. A node refuses a transaction with a used
 * nonce. A transaction after a gap would stay pending for ever.
 */
async function requireNextNonces(
  client: ReadClient,
  signedSteps: SignedStep[],
  { file, deployer }: { file: string; deployer: Address },
): Promise<void> {
  const next = await client.getTransactionCount({ address: deployer, blockTag: 'pending' })
  for (const [index, { what, nonce }] of signedSteps.entries()) {
    if (nonce === next + index) continue
    throw new Error(
      `${what} has nonce ${nonce} in ${file}, but the next one of ${deployer} there is ${next + index}: a transaction of it is missing, or ` +
        'its account sent another one. Write what is left again with --unsigned FILE, and sign that. Nothing was sent.',
    )
  }
}

/** Sends signed transactions. Each is sent when the one before it has been mined. */
export async function sendSigned(
  client: ReadClient,
  signedSteps: SignedStep[],
  say: (line: string) => void,
): Promise<void> {
  for (const { what, raw } of signedSteps) {
    const hash = await client.sendRawTransaction({ serializedTransaction: raw })
    say(`sent   ${what}: ${hash}`)
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`${what} reverted in transaction ${hash}`)
    say(`mined  ${what}: block ${receipt.blockNumber}, ${receipt.gasUsed} gas`)
  }
}

function readRawList(file: string): Hex[] {
  const text = readFileSync(file, 'utf8').trim()
  const lines: unknown = text.startsWith('[') ? JSON.parse(text) : text.split(/\s+/)
  const hex = z.string().refine((value): value is Hex => isHex(value), 'is no hex')
  const result = z.array(hex).safeParse(lines)
  if (result.success) return result.data
  throw new Error(`${file} is no list of signed transactions: a JSON list of hex texts, or one a line`)
}
