import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** Spec, "Task (list item shape)" and "Task detail": the required fields of a detail, with any values. */
const requiredFields = [
  'id',
  'requester',
  'requesterPubkey',
  'description',
  'reward',
  'escrowTxHash',
  'createdAt',
  'expiryTime',
  'status',
  'tags',
  'mode',
  'taskVisibility',
  'submissionVisibility',
  'stakeRequired',
  'stakeBps',
  'pitchDeadline',
  'bidDeadline',
  'maxPrice',
  'metricDescription',
  'metricTarget',
  'claimedBy',
  'claimedAt',
  'platformFeeBps',
  'submissionCount',
  'pitchCount',
  'submissionWindowOpen',
  'phase',
  'pendingActions',
]
const otherFields = [
  'referenceCode',
  'hasAccessPassword',
  'awardCount',
  'primaryAward',
  'requesterAgentId',
  'workerAgentId',
  'requesterActorType',
  'auctionType',
  'auctionStartPrice',
  'auctionFloorPrice',
  'currentAuctionPrice',
  'currentLowestBid',
  'auctionBidCount',
  'auctionPriceReachesFloorAt',
  'auctionPriceReachesMaxAt',
  'hookContract',
  'hooks',
  'evaluator',
  'evaluatorStake',
  'evaluatorFeeBps',
  'evaluationWindow',
  'appealWindow',
  'disputeResolver',
  'appealDeadline',
  'evaluatorDeadline',
  'verdictType',
  'verdictScore',
  'verdictConfidence',
  'verdictEvidenceHash',
  'netReward',
  'selfAward',
  'taskDropId',
  'taskDrop',
  'awards',
  'tokenPerUsdc',
  'bonusBps',
  'estimatedUsdBonusValue',
  'estimatedWorkerUsdBonusValue',
  'estimatedRequesterUsdBonusValue',
  'estimatedWorkerTokenBonus',
  'estimatedRequesterTokenBonus',
  'bonus',
  'resolution',
]

describe('Get task: GET /tasks/{taskId}', () => {
  test('has every field of Task and Task detail', async () => {
    const { body: task } = await environment.get(`/tasks/${await environment.createTask(await environment.aWallet())}`)
    expect(Object.keys(task)).toEqual(expect.arrayContaining([...requiredFields, ...otherFields]))
  })

  test('has null in fields of other modes and of undecided tasks', async () => {
    const { body: task } = await environment.get(`/tasks/${await environment.createTask(await environment.aWallet())}`)
    const isNull = (field: string) => task[field] === null
    const nullFields = [...requiredFields, ...otherFields].filter(isNull)
    expect(nullFields).toEqual([
      'requesterPubkey',
      'pitchDeadline',
      'bidDeadline',
      'maxPrice',
      'metricDescription',
      'metricTarget',
      'claimedBy',
      'claimedAt',
      'primaryAward',
      'requesterAgentId',
      'workerAgentId',
      'auctionType',
      'auctionStartPrice',
      'auctionFloorPrice',
      'currentAuctionPrice',
      'currentLowestBid',
      'auctionBidCount',
      'auctionPriceReachesFloorAt',
      'auctionPriceReachesMaxAt',
      'hookContract',
      'evaluator',
      'evaluatorStake',
      'evaluatorFeeBps',
      'evaluationWindow',
      'appealWindow',
      'disputeResolver',
      'appealDeadline',
      'evaluatorDeadline',
      'verdictType',
      'verdictScore',
      'verdictConfidence',
      'verdictEvidenceHash',
      'selfAward',
      'taskDropId',
      'taskDrop',
      'resolution',
    ])
    expect(task).toMatchObject({ hooks: [], awards: [], awardCount: 0, requesterActorType: 'human' })
    expect(task).not.toHaveProperty('workerActorType')
    expect(task).not.toHaveProperty('sponsoredTaskRewards')
  })

  test('names the transaction that escrowed the reward', async () => {
    const taskId = await environment.createTask(await environment.aWallet(), { reward: '4000000' })
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    const [created] = (await environment.chain.marketLogs(task.escrowTxHash)).filter(
      (log) => log.eventName === 'TaskCreated',
    )
    expect(created?.args).toMatchObject({ taskId, terms: { reward: 4_000_000n } })
  })

  test.each([
    ['2000000', '1850000'],
    ['1000', '925'],
    // floor(1001 * 750 / 10000) = 75
    ['1001', '926'],
  ])('estimates the net reward of %s as %s', async (reward, netReward) => {
    const { body: task } = await environment.get(
      `/tasks/${await environment.createTask(await environment.aWallet(), { reward })}`,
    )
    expect(task.netReward).toBe(netReward)
  })

  test('accepts the id in any letter case and the reference code', async () => {
    const taskId = await environment.createTask(await environment.aWallet())
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task.referenceCode).toMatch(/^TSK-[0-9A-HJKMNP-TV-Z]{8,}$/)
    for (const name of [`0x${taskId.slice(2).toUpperCase()}`, task.referenceCode]) {
      expect((await environment.get(`/tasks/${name}`)).body.id).toBe(taskId)
    }
  })

  test('returns null for an unknown id', async () => {
    const { status, body } = await environment.get(`/tasks/0x${'ab'.repeat(32)}`)
    expect({ status, body }).toEqual({ status: 200, body: null })
  })

  test.each(['0x1234', 'TSK-0', `0x${'zz'.repeat(32)}`, `${'ab'.repeat(32)}`])('refuses %s as an id', async (name) => {
    expectRefusal(await environment.get(`/tasks/${name}`), 400, 'unclassified')
  })

  test('shows a completed split: awards by rank with settled amounts, the first as primary', async () => {
    const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
    const taskId = await environment.createTask(requester, { reward: '1000001' })
    await environment.submit(alice, taskId)
    await environment.submit(bob, taskId)
    await environment.split(requester, taskId, [
      [bob, 6666],
      [alice, 3334],
    ])
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task).toMatchObject({
      status: 'completed',
      phase: 'resolved',
      awardCount: 2,
      submissionCount: 2,
      selfAward: false,
      workerActorType: 'human',
      primaryAward: { workerAddress: bob.account.address, rating: null },
    })
    // floor(1000001 * 3334 / 10000) = 333400; the rest, 666601, is the first rank's. Fees: floor(gross * 750 / 10000).
    expect(task.awards).toEqual([
      {
        workerAddress: bob.account.address,
        rank: 1,
        isPrimary: true,
        workerAgentId: null,
        workerActorType: 'human',
        grossAmount: '666601',
        workerPayment: '616606',
        platformFee: '49995',
        rating: null,
        settlementTxHash: expect.any(String),
        settledAt: expect.any(String),
      },
      {
        workerAddress: alice.account.address,
        rank: 2,
        isPrimary: false,
        workerAgentId: null,
        workerActorType: 'human',
        grossAmount: '333400',
        workerPayment: '308395',
        platformFee: '25005',
        rating: null,
        settlementTxHash: expect.any(String),
        settledAt: expect.any(String),
      },
    ])
  })

  test('has selfAward when the requester awarded itself', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester)
    await environment.submit(requester, taskId)
    await environment.accept(requester, taskId, requester)
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'completed', selfAward: true })
  })
})
