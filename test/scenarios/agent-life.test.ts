import { getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask, aTextFile } from '../support/conformance-fixtures.ts'
import { aRegistration, aWithdrawalBody } from '../support/withdrawals.ts'
import { openLedger } from './ledger.ts'

/** The first task of an agent that has a key, no USDC and no ether, over HTTP alone. */

const environment = openEnvironment()
const { get, post } = environment
const skill = 'first-task'

/** The one item of a wallet's action queue. */
async function nextWork(actor: Actor) {
  const { status, body } = await get(`/agents/action-queue?address=${actor.address}`, { as: actor })
  expect([status, body.total]).toEqual([200, 1])
  return body.items[0]
}

/** The request of an action, as the service states it: signed where it says so, and paid where it costs. */
async function perform(actor: Actor, action: { request: { path: string; sign: string | null } }, fields: object) {
  const { path, sign } = action.request
  const signature = sign === null ? undefined : await actor.account.signMessage({ message: sign })
  return await environment.pay(actor, path.replace(/^\/api/, ''), { ...fields, ...(signature && { signature }) })
}

test('given a wallet with nothing, when it works for a reward, then it is paid, rated, listed and withdraws', async () => {
  const [worker, target] = [anActor(), anActor()]
  const requester = await environment.aWallet()
  const ledger = await openLedger(environment, { worker, requester, target })

  // Identity: the signature of a device is all that it takes.
  const signature = await worker.account.signMessage({ message: `service:device-register:${worker.address}` })
  const device = await post('/devices', { body: { walletAddress: worker.address, signature } })
  const { agentId } = device.body
  expect([device.status, device.body.verified, agentId]).toEqual([200, true, expect.stringMatching(/^\d+$/)])
  expect((await get(`/identity/status?address=${worker.address}`)).body).toMatchObject({ agentId, registered: true })
  const place = async () => (await get(`/agents/leaderboard?skill=${skill}`)).body
  expect(await place()).toEqual([])

  // Work: claimed without money, then it is in the queue.
  const taskId = await environment.createTask(requester, aClaimTask({ reward: '2000003', tags: [skill] }))
  await ledger.expectChanges({ requester: -2_000_003n, market: 2_000_003n })
  expect((await get(`/agents/action-queue?address=${worker.address}`, { as: worker })).body.items).toEqual([])
  await environment.claim(worker, taskId)
  const work = await nextWork(worker)
  expect(work).toMatchObject({ task: { id: taskId }, role: 'worker', intent: 'submit_work' })
  const { path, sign } = work.actions[0].request
  const delivery = await post(path.replace(/^\/api/, ''), {
    body: {
      taskId,
      workerAddress: worker.address,
      artifacts: [aTextFile()],
      signature: await worker.account.signMessage({ message: sign }),
    },
  })
  expect(delivery).toMatchObject({ status: 200 })
  expect((await get(`/agents/action-queue?address=${worker.address}`, { as: worker })).body).toMatchObject({
    items: [],
    waiting: [{ reason: 'waiting_for_review' }],
  })
  await ledger.expectChanges({})

  // Payment and rating, as the requester's queue offers them.
  const review = await nextWork(requester)
  expect(review.intent).toBe('review_work')
  const accept = review.actions.find(({ action }: { action: string }) => action === 'accept')
  expect(await perform(requester, accept, { taskId, worker: worker.address })).toMatchObject({ status: 200 })
  await ledger.expectChanges({
    requester: -1_000n,
    forwarder: 1_000n,
    market: -2_000_003n,
    worker: 1_850_003n,
    feeRecipient: 150_000n,
  })
  const rating = await nextWork(requester)
  expect(rating.intent).toBe('rate_workers')
  const fields = { taskId, worker: worker.address, rating: 91 }
  expect(await perform(requester, rating.actions[0], fields)).toMatchObject({ status: 200 })
  await ledger.expectChanges({ requester: -1_000n, forwarder: 1_000n })
  expect((await get(`/agents/action-queue?address=${requester.address}`, { as: requester })).body.items).toEqual([])

  // Standing.
  const standing = { agentId, completedTasks: 1, totalEarnings: '1850003' }
  // The list counts ten ratings of 50 besides one's own, so that one rating does not lead it.
  const listed = { rank: 1, ...standing, averageRating: (10 * 50 + 91) / 11, skills: [skill] }
  expect(await place()).toEqual([expect.objectContaining(listed)])
  expect((await get(`/agents/stats?agentId=${agentId}`)).body).toMatchObject({
    address: getAddress(worker.address),
    ...standing,
    averageRating: 91,
  })

  // Withdrawal of all of it, without gas.
  const registered = await post('/wallet/set-withdrawal-address', {
    body: await aRegistration(worker, target.address),
  })
  expect(registered).toMatchObject({ status: 200 })
  const { balanceBaseUnits } = (await get(`/wallet/balance?address=${worker.address}`)).body
  const terms = {
    to: target.address,
    amount: BigInt(balanceBaseUnits),
    now: await environment.chain.headTime(),
    usdc: environment.chain.deployment.usdc,
  }
  const withdrawn = await post('/wallet/withdraw', { body: await aWithdrawalBody(worker, terms) })
  expect(withdrawn).toMatchObject({ status: 200, body: { amountBaseUnits: '1850003', txHash: expect.any(String) } })
  await ledger.expectChanges({ worker: -1_850_003n, target: 1_850_003n })
  await ledger.expectEmptyEscrow()
  for (const { address } of [worker, target]) {
    const wei = await environment.chain.request('eth_getBalance', [address as Hex, 'latest'])
    expect(BigInt(wei as Hex)).toBe(0n)
  }
})
