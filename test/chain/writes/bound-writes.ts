import { createHash } from 'node:crypto'
import { keccak256, type PrivateKeyAccount, toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { boundNonceOf, boundOnlyText, callTailOf, requestHashOf } from '../../../protocol/bound-call.ts'
import { encodeCall, normalise, type OperationName } from '../../../protocol/derive.ts'
import { documentOfSubmission } from '../../../protocol/operations/document-of-submission.ts'
import { type ContractCall, transactionOf } from '../../../protocol/relay.ts'
import { authorizationTypes } from '../../../protocol/signed/transfer-authorization.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { aKey, createPayingClient, type PayingClient, type Reply, type WriteCall } from '../../support/paying-client.ts'
import { paymentTextOf } from '../../support/payment-text.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets } from './wallets.ts'
import { ACTION_FEE, REWARD } from './write-calls.ts'

let stack: TestStack
let wallets: ReturnType<typeof createWallets>

const aClient = async (baseUnits = 10n * REWARD): Promise<PayingClient> =>
  createPayingClient({ baseUrl: stack.baseUrl(), account: await wallets.funded(baseUnits) })
const aSalt = () => toHex(crypto.getRandomValues(new Uint8Array(32)))
const addressOf = ({ address }: PrivateKeyAccount) => address.toLowerCase() as `0x${string}`

/** The call of a request, for facts as its sender knows them. */
function callOf(
  name: OperationName,
  request: object,
  { actor, facts = {} }: { actor: string; facts?: object },
): ContractCall {
  return encodeCall(name, normalise(name, request as never), { deployment: stack.deployment, actor, facts } as never)
}

/** The first round of a write, and a payment for its call alone. */
async function signBoundCall(client: PayingClient, call: WriteCall, contractCall: ContractCall) {
  const requirement = await client.challenge(call)
  const text = paymentTextOf(requirement, { path: `/api${call.path}`, key: call.key, body: JSON.stringify(call.body) })
  const salt = requestHashOf(text)
  const { timestamp } = await stack.client.getBlock()
  const message = {
    from: client.account.address,
    to: requirement.payTo,
    value: BigInt(requirement.amount),
    validAfter: 0n,
    validBefore: timestamp + 120n,
    nonce: boundNonceOf(contractCall, { ...stack.deployment, salt }),
  }
  const signature = await client.account.signTypedData({
    ...authorizationTypes(stack.deployment, 'ReceiveWithAuthorization'),
    message,
  })
  const { value, validAfter, validBefore } = message
  const authorization = {
    ...message,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
  }
  const payload = { x402Version: 2, accepted: requirement, payload: { signature, authorization, bound: { salt } } }
  const header = Buffer.from(JSON.stringify(payload)).toString('base64')
  const signed = { ...message, from: addressOf(client.account), signature, salt }
  return { payment: { header, authorization, signature }, signed }
}

/** Both rounds of a write, with a payment for its call alone. */
async function payBoundCall(client: PayingClient, call: WriteCall, contractCall: ContractCall): Promise<Reply> {
  const { payment } = await signBoundCall(client, call, contractCall)
  return await client.sendPaid(call, payment)
}

function aCreation(requester: PayingClient): { call: WriteCall; contractCall: ContractCall } {
  const body = {
    description: 'Translate a page',
    reward: String(REWARD),
    duration: 24,
    tags: ['text'],
    documentSalt: aSalt(),
  }
  const contractCall = callOf('tasks.create', body, { actor: addressOf(requester.account) })
  return { call: { path: '/tasks', body, key: aKey() }, contractCall }
}

async function createTask(requester: PayingClient): Promise<Reply> {
  const { call, contractCall } = aCreation(requester)
  return await payBoundCall(requester, call, contractCall)
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testBoundWrites(stackOf: () => TestStack): void {
  describe('writes that are bound to their calls', () => {
    beforeAll(() => {
      stack = stackOf()
      wallets = createWallets(stack)
    })

    it('given a creation, a submission and an acceptance, then each is charged and acts as it was signed', async () => {
      const [requester, worker] = [await aClient(), await aClient()]
      const created = await createTask(requester)
      expect(created.status).toBe(200)
      const { taskId } = created.body

      const bytes = Buffer.from('the work')
      const file = { fileName: 'work.txt', mimeType: 'text/plain', role: 'final' as const }
      const hashed = {
        ...file,
        sizeBytes: bytes.length,
        sha256Hash: createHash('sha256').update(bytes).digest('hex'),
        keccak256Hash: keccak256(bytes),
      }
      const workerAddress = addressOf(worker.account)
      const documentSalt = aSalt()
      const { hash: deliverable } = documentOfSubmission({ taskId, artifacts: [hashed], documentSalt }, workerAddress)
      const submission = { workerAddress, artifacts: [hashed], signature: '0x', documentSalt }
      const { data } = callOf('submissions.create', { taskId, ...submission }, { actor: workerAddress })
      const message = `service:submit:${taskId}${callTailOf(data, stack.deployment)}`
      const signature = await worker.account.signMessage({ message })
      const artifacts = [{ ...file, file: bytes.toString('base64') }]
      const body = { ...submission, artifacts, signature }
      const submitted = await worker.send({ path: `/tasks/${taskId}/submissions`, body, key: aKey() })
      expect(submitted.status).toBe(200)

      const winner = { worker: workerAddress }
      const facts = { reward: REWARD, deliverables: [deliverable] }
      const acceptance = callOf('tasks.accept', { taskId, ...winner }, { actor: addressOf(requester.account), facts })
      const call = { path: `/tasks/${taskId}/accept`, body: winner, key: aKey() }
      expect((await payBoundCall(requester, call, acceptance)).status).toBe(200)
      expect(await wallets.balanceOf(requester.account.address)).toBe(9n * REWARD - ACTION_FEE)
    })

    it('given a relayer relays the call before the service has it, then the request is that write', async () => {
      const requester = await aClient()
      const { call, contractCall } = aCreation(requester)
      const { payment, signed } = await signBoundCall(requester, call, contractCall)
      const relay = { mode: 'bound' as const, payment: signed }
      const [relayer] = devRelayers()
      if (relayer === undefined) throw new Error('there is no relayer')
      const relayed = transactionOf({ kind: 'market', intentId: aSalt(), relay, call: contractCall }, stack.deployment)
      await wallets.sendAs(relayer.account.address, relayed)
      const created = await requester.sendPaid(call, payment)
      expect(created).toMatchObject({ status: 200, body: { taskId: expect.any(String) } })
      expect((await requester.get(`/tasks/${created.body.taskId}`)).body.description).toBe('Translate a page')
      expect(await wallets.balanceOf(requester.account.address)).toBe(9n * REWARD)
    })

    it('given a wallet that switches bound calls on, then its plain payments are refused, and its bound ones act', async () => {
      const client = await aClient()
      const wallet = addressOf(client.account)
      expect((await client.get(`/wallet/bound-only?address=${wallet}`)).body).toEqual({
        boundOnly: false,
        counter: '0',
      })
      const { timestamp } = await stack.client.getBlock()
      const terms = { wallet, isOn: true, counter: 0n, validBefore: timestamp + 120n }
      const signature = await client.account.signMessage({
        message: `service:${boundOnlyText(stack.deployment, terms)}`,
      })
      const { validBefore } = terms
      const body = { walletAddress: wallet, boundOnly: true, counter: '0', validBefore: Number(validBefore), signature }
      expect((await client.send({ path: '/wallet/bound-only', body, key: aKey() })).status).toBe(200)
      expect((await client.get(`/wallet/bound-only?address=${wallet}`)).body).toEqual({ boundOnly: true, counter: '1' })

      const plain = { description: 'Translate a page', reward: String(REWARD), duration: 24, tags: [] }
      const refused = await client.pay({ path: '/tasks', body: plain, key: aKey() })
      expect([refused.status, refused.body.service.detail]).toEqual([403, 'bound_only'])
      expect((await createTask(client)).status).toBe(200)
    })
  })
}
