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

/** Gas limit: the gas of the rehearsal with a margin of a quarter. */
const gasLimitOf = (gas: bigint) => (gas * 5n) / 4n
/** They are signed and sent later, when gas may cost more. */
const PRICE_MARGIN = 2n

/**
 * Writes the missing transactions for signing elsewhere, in the order of their nonces, each as fields and as `raw`, the
 * serialized EIP-1559 transaction without a signature.
 * @returns their number
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

/** A signed transaction of a file, with its step. */
export interface SignedStep {
  what: string
  raw: Hex
  nonce: number
}

/**
 * Reads signed transactions: a JSON list of hex texts, or one per line.
 * @returns those with missing steps, by nonce
 * @throws Error for a transaction that is no step of the plan, of another account or chain, or unsigned, and for nonces that are
 * not the next ones
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

/** One with a used nonce is refused by the node, and one behind a gap would wait for good. */
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

/** Sends signed transactions one after the other, each after the one before is mined. */
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
