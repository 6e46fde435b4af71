import { decodeFunctionData, encodeFunctionData, type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import { chainId } from '../../../scripts/chain/anvil.ts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { aKey, createPayingClient, type WriteCall } from '../../support/paying-client.ts'
import type { Requirement } from '../../support/payment.ts'
import { type BenchStack, bareRelayer } from './bench-stack.ts'

const reward = 1_000_000n

/** A paid create that only has to be sent: its first round is over, its payment signed. */
export interface PrebuiltWrite {
  url: string
  body: string
  headers: Record<string, string>
}

/** A signed transaction with a paid create's calldata. */
export interface PrebuiltTransaction {
  raw: Hex
}

/** Makes writes for the service and transactions for the node that do the same on chain. */
export interface Prebuilder {
  writes(count: number): Promise<PrebuiltWrite[]>
  /** In the order of their nonces: they must be sent in it, and all of them. */
  transactions(count: number): Promise<PrebuiltTransaction[]>
}

export async function createPrebuilder(stack: BenchStack): Promise<Prebuilder> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await mintLocalUsdc(stack.anvil.url, payer.address, 1_000_000n * reward)
  const { account: sender } = bareRelayer
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: payer })
  const first = createCall()
  const model = await readModel(stack, await client.pay(first))
  let nonce = await stack.client.getTransactionCount({ address: sender.address })

  const write = async (): Promise<PrebuiltWrite> => {
    const call = createCall()
    const requirement = await client.challenge(call)
    const { header } = await client.sign(requirement, { validBefore: await validBefore(stack, requirement) })
    return {
      url: `${stack.baseUrl()}/api${call.path}`,
      body: JSON.stringify(call.body),
      headers: { 'x-service-idempotency-key': call.key, 'payment-signature': header },
    }
  }
  const transaction = async (): Promise<PrebuiltTransaction> => {
    nonce += 1
    const data = await paidCall(stack, { model, payer })
    const { gas, maxFeePerGas, maxPriorityFeePerGas } = model
    return {
      raw: await sender.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: nonce - 1,
        to: stack.deployment.forwarder,
        data,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas,
      }),
    }
  }
  return { writes: (count) => inTurn(count, write), transactions: (count) => inTurn(count, transaction) }
}

/** What a paid create of the service was, on chain. */
interface Model {
  args: readonly [Hex, Authorization, Hex, bigint, Hex, Hex]
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

interface Authorization {
  from: Hex
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
}

async function readModel({ client }: BenchStack, reply: { body: { taskId: Hex }; headers: Headers }): Promise<Model> {
  const receipt = JSON.parse(Buffer.from(reply.headers.get('payment-response') ?? '', 'base64').toString('utf8'))
  const { input, gas, maxFeePerGas, maxPriorityFeePerGas } = await client.getTransaction({ hash: receipt.transaction })
  const { functionName, args } = decodeFunctionData({ abi: paymentForwarderAbi, data: input })
  if (functionName !== 'relayPaid') throw new Error(`the service relayed a create by ${functionName}`)
  if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) throw new Error('the service paid a gas price')
  // Base fees rise with every full block of a long run.
  return { args, gas, maxFeePerGas: maxFeePerGas * 100n, maxPriorityFeePerGas }
}

/** The same call with a payment and an intent id of its own. */
async function paidCall(stack: BenchStack, { model, payer }: { model: Model; payer: PrivateKeyAccount }): Promise<Hex> {
  const [, paid, , escrow, target, data] = model.args
  const { timestamp } = await stack.client.getBlock({ blockTag: 'latest' })
  const authorization = { ...paid, from: payer.address, validBefore: timestamp + 600n, nonce: aHash() }
  const message = { ...authorization, to: stack.deployment.forwarder }
  const signature = await payer.signTypedData({ ...transferTypedData(stack.deployment), message })
  return encodeFunctionData({
    abi: paymentForwarderAbi,
    functionName: 'relayPaid',
    args: [aHash(), authorization, signature, escrow, target, data],
  })
}

function createCall(): WriteCall {
  const body = { description: 'Translate a page', reward: String(reward), duration: 24, tags: ['text'] }
  return { path: '/tasks', key: aKey(), body }
}

async function validBefore({ client }: BenchStack, { maxTimeoutSeconds }: Requirement): Promise<string> {
  const { timestamp } = await client.getBlock({ blockTag: 'latest' })
  return String(timestamp + BigInt(maxTimeoutSeconds))
}

function aHash(): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}

async function inTurn<Item>(count: number, make: () => Promise<Item>): Promise<Item[]> {
  const items: Item[] = []
  while (items.length < count) items.push(await make())
  return items
}
