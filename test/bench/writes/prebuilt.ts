import { decodeFunctionData, encodeFunctionData, type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import { chainId } from '../../../scripts/chain/anvil.ts'
import { mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { anAuctionTask } from '../../support/conformance-fixtures.ts'
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
  /** Paid acceptances of one new dutch auction, each of another wallet with a key of its own: one can succeed. */
  race(size: number): Promise<PrebuiltWrite[]>
}

export async function createPrebuilder(stack: BenchStack): Promise<Prebuilder> {
  const payer = await fundedAccount(stack, 1_000_000n * reward)
  const { account: sender } = bareRelayer
  const client = createPayingClient({ baseUrl: stack.baseUrl(), account: payer })
  const first = createCall()
  const model = await readModel(stack, await client.pay(first))
  let nonce = await stack.client.getTransactionCount({ address: sender.address })

  const write = async (): Promise<PrebuiltWrite> => {
    const call = createCall()
    const requirement = await client.challenge(call)
    const { header } = await client.sign(requirement, { validBefore: await validBefore(stack, requirement) })
    return toPrebuilt(stack, call, header)
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
  const bidders: PrivateKeyAccount[] = []
  const race = async (size: number): Promise<PrebuiltWrite[]> => {
    while (bidders.length < size) bidders.push(await fundedAccount(stack, reward))
    const auction = await client.pay({ path: '/tasks', key: aKey(), body: anAuction() })
    const path = `/tasks/${auction.body.taskId}/bids/accept`
    const requirement = await client.challenge({ path, key: aKey(), body: {} })
    const changes = { validBefore: await validBefore(stack, requirement) }
    const accept = async (account: PrivateKeyAccount): Promise<PrebuiltWrite> => {
      const { header } = await createPayingClient({ baseUrl: stack.baseUrl(), account }).sign(requirement, changes)
      return toPrebuilt(stack, { path, key: aKey(), body: {} }, header)
    }
    return await Promise.all(bidders.slice(0, size).map(accept))
  }
  return { writes: (count) => inTurn(count, write), transactions: (count) => inTurn(count, transaction), race }
}

function toPrebuilt(stack: BenchStack, { path, key, body }: WriteCall, header: string): PrebuiltWrite {
  return {
    url: `${stack.baseUrl()}/api${path}`,
    body: JSON.stringify(body),
    headers: { 'x-service-idempotency-key': key, 'payment-signature': header },
  }
}

async function fundedAccount({ anvil }: BenchStack, amount: bigint): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await mintLocalUsdc(anvil.url, account.address, amount)
  return account
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

function anAuction() {
  return { description: 'Translate a page', duration: 24, tags: ['text'], ...anAuctionTask('dutch') }
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
