import { encodeFunctionData, type Hex, keccak256, stringToBytes, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { usdcAbi } from '../../abis/usdc.ts'
import { toModeSelector } from '../../protocol/rules/selectors.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()
const { market, usdc } = environment.chain.deployment

const noEvaluator = { evaluator: zeroAddress, resolver: zeroAddress, feeBps: 0, evaluationWindow: 0, appealWindow: 0 }

/** A listed bounty of 2 USDC that its requester creates without the service. */
async function createDirectly(requester: Actor, contentHash: Hex): Promise<Hex> {
  const terms = {
    mode: toModeSelector('bounty'),
    auctionType: '0x00000000',
    reward: 2_000_000n,
    duration: 86_400,
    pitchDuration: 0,
    bidDuration: 0,
    clockPrice: 0n,
    stakeBps: 0,
    contentHash,
    tags: [keccak256(stringToBytes('haiku'))],
    listed: true,
    evaluation: noEvaluator,
    hooks: [],
    hookData: '0x',
  } as const
  const approval = encodeFunctionData({ abi: usdcAbi, functionName: 'approve', args: [market, 2_000_000n] })
  await environment.chain.sendAs(requester.address, { to: usdc, data: approval })
  const creation = encodeFunctionData({ abi: taskMarketAbi, functionName: 'createTask', args: [terms] })
  const hash = await environment.chain.sendAs(requester.address, { to: market, data: creation })
  const ids = (await environment.chain.marketLogs(hash)).flatMap((log) =>
    log.eventName === 'TaskCreated' ? [log.args.taskId] : [],
  )
  const [taskId = '0x'] = ids
  // The service does not wait for the indexer after a direct call.
  await expect.poll(async () => (await environment.get(`/tasks/${taskId}`)).body).not.toBeNull()
  return taskId
}

async function submitDirectly(worker: Actor, taskId: Hex, deliverable: Hex): Promise<void> {
  const { body: before } = await environment.get(`/tasks/${taskId}`)
  const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'submitWork', args: [taskId, deliverable] })
  await environment.chain.sendAs(worker.address, { to: market, data })
  await expect
    .poll(async () => (await environment.get(`/tasks/${taskId}`)).body.submissionCount)
    .toBe(before.submissionCount + 1)
}

describe('Content joins: a task created by a direct call', () => {
  test('has no texts, is unlisted, and has all other properties of a task', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await createDirectly(requester, keccak256('0x01'))
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      description: '',
      tags: [],
      taskVisibility: 'unlisted',
      submissionVisibility: 'public',
      reward: '2000000',
      requester: requester.account.address,
      status: 'open',
    })
    expect((await environment.get(`/tasks?requester=${requester.address}`)).body.tasks).toEqual([])
    await environment.submit(alice, taskId)
    await environment.accept(requester, taskId, alice)
    expect((await environment.get(`/tasks/${taskId}`)).body.status).toBe('completed')
  })
})

describe('Content joins: a submission by a direct call', () => {
  test('has no files and no manifest, and counts like any other', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await submitDirectly(alice, taskId, keccak256('0x03'))
    const { body: rows } = await environment.get(`/tasks/${taskId}/submissions`)
    expect(rows).toMatchObject([
      { workerAddress: alice.account.address, deliverableHash: keccak256('0x03'), artifacts: [], fileUrl: null },
    ])
    const manifest = await environment.get(`/tasks/${taskId}/submissions/${rows[0].id}/manifest`)
    expectRefusal(manifest, 404, 'unclassified')
    await environment.accept(requester, taskId, alice)
    expect((await environment.get(`/tasks/${taskId}`)).body.status).toBe('completed')
  })
})
