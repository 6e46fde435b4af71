import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paymentRequestText, requestHashOf } from '../../../protocol/bound-call.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { runTool, wordsOf } from '../../support/client/silent-io.ts'
import { aClientOf, aWalletDirectory } from '../../support/client/wallets.ts'
import { type Environment, openEnvironmentOf } from '../../support/conformance.ts'
import { aClaimTask } from '../../support/conformance-fixtures.ts'
import { isDeep } from '../../support/depth.ts'
import { startTestStack, type TestStack } from '../../support/stack.ts'
import { makeWrite } from './mined-call.ts'
import { recordRequests, recordSignatures } from './recorded-requests.ts'
import { aPendingRefund, takeTurn, withWeiPerUsdc } from './refunds.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

// Two services use the relayers of one chain, so one after the other. The second one is of the deep tests.
let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ beforeBound: true, api: false, indexer: isDeep })
})
afterAll(() => stack?.stop())

const stranger = devAccount('bob').account.address

describe('a deployment from before bound payments', () => {
  let harness: RelayHarness
  beforeAll(async () => {
    harness = await startRelayHarness(stack)
  })
  afterAll(() => harness?.stop())

  it('given payments, then they act, also where another account submitted one first', async () => {
    expect(harness.deps.deployment.bound).toBeUndefined()
    const [first, second] = [await harness.wallets.funded(REWARD), await harness.wallets.funded(REWARD)]
    const [paid, prepaid] = [await harness.bindCreate(first), await harness.bindCreate(second)]
    await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(prepaid)))
    const loops = await harness.startRelay()
    try {
      expect(await harness.outcomeOf(paid.id)).toMatchObject({ status: 'completed', relay: { mode: 'paid' } })
      expect(await harness.outcomeOf(prepaid.id)).toMatchObject({ status: 'completed', relay: { mode: 'prepaid' } })
    } finally {
      await loops.stop()
    }
  })

  it('given a payment above the limit of later forwarders, then it goes back at once', async () => {
    const value = 100n * REWARD
    const signer = await harness.wallets.funded(value)
    const intent = await aPendingRefund(harness, { signer, value })
    await takeTurn(withWeiPerUsdc(harness.deps, Number.MAX_SAFE_INTEGER), intent)
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'refunded' })
    expect(await harness.wallets.balanceOf(signer.address)).toBe(value)
  })
})

if (isDeep) {
  describe('the client of this version at a deployment from before bound payments', () => {
    let environment: Environment
    let place: { baseUrl: string; rpcUrl: string; deployment: TestStack['deployment'] }
    beforeAll(async () => {
      await stack.restartApi()
      place = { baseUrl: stack.baseUrl(), rpcUrl: stack.anvil.url, deployment: stack.deployment }
      environment = openEnvironmentOf(place)
    })

    const aTask = { description: 'Translate a page', reward: String(REWARD), duration: 24, tags: ['text'] }

    it('given a paid write, then its payment is plain and names the request alone, and it is done', async () => {
      const wallet = await environment.aWallet()
      const { fetch, requests } = recordRequests()
      const client = aClientOf(place, wallet, { fetch })
      const money = await environment.chain.watch({ wallet: wallet.address })
      expect(await makeWrite({ client, environment }, 'createTask', aTask)).toMatchObject({ functionName: 'relayPaid' })
      expect(await money.changes()).toEqual({ wallet: -REWARD })

      const { headers, text } = requests.at(-1) ?? {}
      const header = headers?.get('PAYMENT-SIGNATURE') ?? ''
      const { payload } = JSON.parse(Buffer.from(header, 'base64').toString())
      expect(Object.keys(payload).sort()).toEqual(['authorization', 'signature'])
      const bodySha256 = createHash('sha256').update(String(text)).digest('hex')
      const request = { method: 'POST', path: '/api/tasks', key: String(headers?.get('X-Service-Idempotency-Key')) }
      const consent = paymentRequestText('service', stack.deployment, { ...request, bodySha256 })
      expect(payload.authorization.nonce).toBe(requestHashOf(consent))
    })

    it('given a free write, then its text names no call, and the task shows it afterwards', async () => {
      const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
      const taskId = await environment.createTask(requester, aClaimTask())
      const { account, signatures } = recordSignatures(worker.account)
      const client = aClientOf(place, { account })
      expect(await makeWrite({ client, environment }, 'createClaim', { taskId })).toMatchObject({
        functionName: 'relaySigned',
      })
      expect(signatures.map(({ message }) => message)).toContain(`service:claim:${taskId}`)
      const { data } = await client.http.GET('/api/tasks/{taskId}', { params: { path: { taskId } } })
      expect(data).toMatchObject({ status: 'claimed', claimedBy: account.address })
    })

    it('given the switch for bound calls alone, then the tool refuses it and says why', async () => {
      const wallet = await environment.aWallet()
      const env = {
        TASK_MARKET_URL: place.baseUrl,
        TASK_MARKET_RPC_URL: place.rpcUrl,
        TASK_MARKET_DEPLOYMENT: stack.deploymentFile,
        TASK_MARKET_HOME: aWalletDirectory(),
        TASK_MARKET_PRIVATE_KEY: wallet.key,
      }
      const run = (line: string) => runTool(wordsOf(line), { env })
      expect(JSON.parse((await run('wallet bound-only show')).out)).toMatchObject({ boundOnly: false })
      for (const line of ['wallet bound-only on --yes', 'wallet bound-only on --yes --dry-run']) {
        const { exit, out, err } = await run(line)
        expect([line, exit, out]).toEqual([line, 5, ''])
        const { reason, message } = JSON.parse(err.trim().split('\n').at(-1) ?? '')
        expect([line, reason]).toEqual([line, 'no_bound_calls'])
        expect(message).toMatch(/before bound payments.*Pay as before.*Nothing was signed/)
      }
    })
  })
}
