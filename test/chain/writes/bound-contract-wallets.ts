import { decodeFunctionData, type Hex, type PrivateKeyAccount, type TypedDataDefinition, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { Client } from '../../../client/src/create-client.ts'
import { chooseValues } from '../../../client/src/writes/choose-values.ts'
import { writes } from '../../../client/src/writes/write-table.ts'
import type { Actor } from '../../support/actors.ts'
import { aClientOf } from '../../support/client/wallets.ts'
import { type Environment, openEnvironmentOf } from '../../support/conformance.ts'
import { aClaimTask } from '../../support/conformance-fixtures.ts'
import type { TestStack } from '../../support/stack.ts'
import { aContractAddress, accountAt, delegate, deployWallet } from './contract-accounts.ts'
import { REWARD } from './write-calls.ts'

const aTask = { description: 'Translate a page', reward: String(REWARD), duration: 24, tags: ['text'] }

let environment: Environment
let requester: Actor
let stack: TestStack

/** A wallet with two rewards, which `deploy` gives its code. */
interface ContractWallet {
  account: PrivateKeyAccount
  deploy(): Promise<void>
}

/** A wallet at an address of its own (ERC-1271), whose signatures come in an envelope of ERC-6492. */
function aDeployedWallet(): ContractWallet {
  const [address, signer] = [aContractAddress(), privateKeyToAccount(generatePrivateKey())]
  return { account: accountAt(address, signer), deploy: () => deployWallet(stack, address, signer) }
}

function aDelegatingAccount(): ContractWallet {
  const signer = privateKeyToAccount(generatePrivateKey())
  return { account: accountAt(signer.address, signer), deploy: () => delegate(stack, signer) }
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
export function testBoundContractWallets(stackOf: () => TestStack): void {
  describe.each([
    ['is deployed (ERC-1271)', aDeployedWallet],
    ['delegates (EIP-7702)', aDelegatingAccount],
  ])('a wallet that %s and signs for one call alone', (_, aWallet) => {
    let account: PrivateKeyAccount
    beforeAll(async () => {
      stack = stackOf()
      environment = openEnvironmentOf({
        baseUrl: stack.baseUrl(),
        rpcUrl: stack.anvil.url,
        deployment: stack.deployment,
      })
      requester = await environment.aWallet()
      const wallet = aWallet()
      account = wallet.account
      await environment.chain.fund(account.address, 2n * REWARD)
      await wallet.deploy()
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
