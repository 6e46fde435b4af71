import {
  type Address,
  createWalletClient,
  decodeFunctionData,
  type Hex,
  http,
  type PrivateKeyAccount,
  pad,
  serializeErc6492Signature,
  type TypedDataDefinition,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { Client } from '../../../client/src/create-client.ts'
import { chooseValues } from '../../../client/src/writes/choose-values.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'
import type { Actor } from '../../support/actors.ts'
import { aClientOf } from '../../support/client/wallets.ts'
import { type Environment, openEnvironmentOf } from '../../support/conformance.ts'
import { aClaimTask } from '../../support/conformance-fixtures.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createCall, REWARD } from './write-calls.ts'

const aTask = { description: 'Translate a page', reward: String(REWARD), duration: 24, tags: ['text'] }

let environment: Environment
let requester: Actor
let stack: TestStack

/** A wallet with two rewards, which `deploy` gives its code. */
interface ContractWallet {
  account: PrivateKeyAccount
  /** Signs its plain payments. */
  plain: PrivateKeyAccount
  deploy(): Promise<void>
}

/**
 * A wallet that takes 65 bytes of one key, and so no envelope: ecrecover of the hash must be the key that the code before
 * EQ puts on the stack.
 */
const walletOf = (key: Hex): Hex =>
  `0x6004355f5260a4355f1a6020526064356040526084356060526020608060805f60015afa50608051${key.slice(2)}1460443560411416631626ba7e60e01b025f5260205ff3`
/** The key in its first slot. */
const KEY_IN_STORAGE: Hex = '0x5f54'
/** The key of the account whose code it is: one that delegates. */
const OWN_KEY: Hex = '0x30'

/** The address of a contract that is not deployed yet. */
const aContractAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** The account of a wallet at `address`, for which `signer` signs, in envelopes as of a wallet that the chain may not know yet. */
function accountAt(address: Address, signer: PrivateKeyAccount): PrivateKeyAccount {
  const wrap = (signature: Hex) => serializeErc6492Signature({ address: aContractAddress(), data: '0x1234', signature })
  return {
    ...signer,
    address,
    signMessage: async (message) => wrap(await signer.signMessage(message)),
    signTypedData: async (data) => wrap(await signer.signTypedData(data)),
  }
}

/** Deploys a wallet of ERC-1271 whose key is that of `signer`. */
async function deployWallet(address: Address, signer: PrivateKeyAccount): Promise<void> {
  const { anvil } = stack
  await anvil.request('anvil_setCode', [address, walletOf(KEY_IN_STORAGE)])
  await anvil.request('anvil_setStorageAt', [address, pad('0x0'), pad(signer.address)])
}

/** Lets an account delegate to the code of such a wallet (EIP-7702), with its own key. */
async function delegate(account: PrivateKeyAccount): Promise<void> {
  const { anvil, client } = stack
  const code = aContractAddress()
  await anvil.request('anvil_setCode', [code, walletOf(OWN_KEY)])
  const sender = createWalletClient({
    account: privateKeyToAccount(devAccount('resolver').privateKey),
    transport: http(anvil.url),
  })
  const authorization = await account.signAuthorization({ address: code, chainId: localNetwork.chainId, nonce: 0 })
  const hash = await sender.sendTransaction({ chain: null, to: account.address, authorizationList: [authorization] })
  await untilMined(anvil.request, hash)
  expect(await client.getCode({ address: account.address })).toMatch(/^0xef0100/)
}

/** A wallet at an address of its own (ERC-1271), whose signatures come in an envelope of ERC-6492. */
function aDeployedWallet(): ContractWallet {
  const [address, signer] = [aContractAddress(), privateKeyToAccount(generatePrivateKey())]
  const account = accountAt(address, signer)
  return { account, plain: account, deploy: () => deployWallet(address, signer) }
}

/** An account that delegates (EIP-7702); its plain payments have no envelope. */
function aDelegatingAccount(): ContractWallet {
  const signer = privateKeyToAccount(generatePrivateKey())
  return { account: accountAt(signer.address, signer), plain: signer, deploy: () => delegate(signer) }
}

const clientOf = (account: PrivateKeyAccount): Client =>
  aClientOf({ baseUrl: stack.baseUrl(), rpcUrl: stack.anvil.url, deployment: stack.deployment }, { account })

/** Makes a wallet sign the payment of another call: one with another nonce, since the nonce names the call. */
function signingAnotherPayment(account: PrivateKeyAccount): PrivateKeyAccount {
  const signTypedData = (data: unknown) => {
    const typedData = data as TypedDataDefinition
    const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)))
    return account.signTypedData({ ...typedData, message: { ...typedData.message, nonce } })
  }
  return { ...account, signTypedData }
}

/** Makes a wallet sign the text of another call. */
function signingAnotherText(account: PrivateKeyAccount): PrivateKeyAccount {
  const toOther = (text: string) => text.replace(/:call:(.*):0x[0-9a-f]{64}$/, `:call:$1:0x${'ab'.repeat(32)}`)
  return {
    ...account,
    signMessage: ({ message }) => account.signMessage({ message: toOther(String(message)) }),
  }
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testContractWallets(stackOf: () => TestStack): void {
  describe.each([
    ['is deployed (ERC-1271)', aDeployedWallet],
    ['delegates (EIP-7702)', aDelegatingAccount],
  ])('a wallet that %s', (_, aWallet) => {
    let account: PrivateKeyAccount
    let plain: PrivateKeyAccount
    beforeAll(async () => {
      stack = stackOf()
      environment = openEnvironmentOf({
        baseUrl: stack.baseUrl(),
        rpcUrl: stack.anvil.url,
        deployment: stack.deployment,
      })
      requester = await environment.aWallet()
      const wallet = aWallet()
      ;({ account, plain } = wallet)
      await environment.chain.fund(account.address, 2n * REWARD)
      await wallet.deploy()
    })

    it('given a plain payment, then it is charged once, and another key is refused', async () => {
      const money = await environment.chain.watch({ wallet: account.address })
      const client = createPayingClient({ baseUrl: stack.baseUrl(), account: plain })
      const created = await client.pay(createCall())
      expect(created.body).toMatchObject({ success: true })
      const { requester: payer } = (await client.get(`/tasks/${created.body.taskId}`)).body
      expect(payer.toLowerCase()).toBe(account.address.toLowerCase())
      const foreign = accountAt(account.address, privateKeyToAccount(generatePrivateKey()))
      const refused = await createPayingClient({ baseUrl: stack.baseUrl(), account: foreign }).pay(createCall())
      expect(refused.status).not.toBe(200)
      expect(await money.changes()).toEqual({ wallet: -REWARD })
    })

    it('given a payment, then the call is the bound one, and it is charged once', async () => {
      const client = clientOf(account)
      const input = { ...aTask, ...(await chooseValues(client.context, writes.createTask.operation, aTask)) }
      const call = await callOf(client, 'createTask', input)
      const money = await environment.chain.watch({ wallet: account.address })
      expect(await makeWrite(client, 'createTask', input)).toEqual({
        functionName: 'relayBound',
        ...call,
      })
      expect(await money.changes()).toEqual({ wallet: -REWARD })
    })

    it('given a claim on its signature, then the call is the signed one, and nothing is charged', async () => {
      const client = clientOf(account)
      const input = { taskId: await environment.createTask(requester, aClaimTask()) }
      const call = await callOf(client, 'createClaim', input)
      const money = await environment.chain.watch({ wallet: account.address })
      expect(await makeWrite(client, 'createClaim', input)).toEqual({
        functionName: 'relaySigned',
        ...call,
      })
      expect(await money.changes()).toEqual({ wallet: 0n })
    })

    it('given a signature of another call, then payment and claim are refused, and nothing is charged', async () => {
      const money = await environment.chain.watch({ wallet: account.address })
      expect(await clientOf(signingAnotherPayment(account)).write('createTask', aTask)).toMatchObject({
        kind: 'refused',
        reason: 'payment_rejected',
        error: { service: { detail: 'signature_invalid' } },
      })
      const taskId = await environment.createTask(requester, aClaimTask())
      expect(await clientOf(signingAnotherText(account)).write('createClaim', { taskId })).toMatchObject({
        kind: 'refused',
        error: { service: { detail: 'signature_invalid' } },
      })
      expect(await money.changes()).toEqual({ wallet: 0n })
    })
  })
}

/** The call that the client shows before it. */
async function callOf(
  client: Client,
  write: 'createTask' | 'createClaim',
  input: object,
): Promise<{ target: string; data: Hex }> {
  const preview = await client.preview(write, input as never)
  if (preview.kind !== 'preview' || preview.call === null) throw new Error(JSON.stringify(preview))
  const { target, data } = preview.call
  return { target, data }
}

/** Makes a write. @returns the function of the forwarder in its transaction, and the call that it relayed */
async function makeWrite(client: Client, write: 'createTask' | 'createClaim', input: object) {
  const outcome = await client.write(write, input as never)
  if (outcome.kind !== 'completed') throw new Error(`${write}: ${JSON.stringify(outcome)}`)
  const record = await client.http.GET('/api/intents', { params: { query: { idempotencyKey: outcome.key } } })
  const transaction = await environment.chain.request('eth_getTransactionByHash', [record.data?.txHash])
  const relay = decodeFunctionData({ abi: paymentForwarderAbi, data: (transaction as { input: Hex }).input })
  const [target, data] = (relay.args ?? []).slice(-2) as [Hex, Hex]
  return { functionName: relay.functionName, target: target.toLowerCase(), data }
}
