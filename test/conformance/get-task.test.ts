import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()

/** Spec, "Task (list item shape)" and "Task detail": the fields of an open bounty with a value. */
const fields = [
  'id',
  'requester',
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
  'platformFeeBps',
  'submissionCount',
  'pitchCount',
  'submissionWindowOpen',
  'phase',
  'pendingActions',
  'referenceCode',
  'hasAccessPassword',
  'awardCount',
  'requesterActorType',
  'hooks',
  'netReward',
  'awards',
  'tokenPerUsdc',
  'bonusBps',
  'estimatedUsdBonusValue',
  'estimatedWorkerUsdBonusValue',
  'estimatedRequesterUsdBonusValue',
  'estimatedWorkerTokenBonus',
  'estimatedRequesterTokenBonus',
  'bonus',
]
/** Those of other modes, and of tasks that are decided. */
const nullFields = [
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
]

describe('Get task: GET /tasks/{taskId}', () => {
  test('has every field of Task and Task detail, with null in those of other modes and of decided tasks', async () => {
    const { body: task } = await environment.get(`/tasks/${await environment.createTask(await environment.aWallet())}`)
    expect(Object.keys(task)).toEqual(expect.arrayContaining([...fields, ...nullFields]))
    expect([...fields, ...nullFields].filter((field) => task[field] === null)).toEqual(nullFields)
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

  test('has selfAward when the requester awarded itself', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester)
    await environment.submit(requester, taskId)
    await environment.accept(requester, taskId, requester)
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'completed', selfAward: true })
  })
})
