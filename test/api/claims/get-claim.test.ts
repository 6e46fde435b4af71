import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimSchema } from '../../../api/features/claims/claims.schemas.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'

const [requester, alice, bob] = [anActor(), anActor(), anActor()]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

const aTask = (texts?: { taskVisibility: 'private' }) =>
  api.seed.task({ requester: requester.address, mode: 'claim', stakeBps: 1000 }, texts)

test('given no claim, then there is none', async () => {
  const task = await aTask()
  expect(await api.get(`/api/tasks/${task.id}/claim`)).toMatchObject({ status: 200, body: null })
})

test('given a claim with a stake, then it names the transaction of the stake', async () => {
  const task = await aTask()
  const claim = await api.seed.claim(task.id, alice.address, { stakeAmount: 500_000n })
  const { body } = await api.get(`/api/tasks/${task.id}/claim`)
  expect(claimSchema.parse(body)).toEqual({
    id: claim.id,
    taskId: task.id,
    workerAddress: getAddress(alice.address),
    stakeAmount: '500000',
    stakeTxHash: claim.transactionHash,
    claimedAt: new Date(Number(START) * 1000).toISOString(),
    status: 'active',
  })
})

test('given no stake, then there is no transaction of one', async () => {
  const task = await aTask()
  await api.seed.claim(task.id, alice.address)
  expect((await api.get(`/api/tasks/${task.id}/claim`)).body).toMatchObject({ stakeAmount: '0', stakeTxHash: null })
})

test('given several rounds, then it is the newest one’s', async () => {
  const task = await aTask()
  await api.seed.claim(task.id, alice.address, { round: 0, status: 'forfeited' })
  await api.seed.claim(task.id, alice.address, { round: 2, status: 'forfeited' })
  await api.seed.claim(task.id, bob.address, { round: 1, status: 'forfeited' })
  expect((await api.get(`/api/tasks/${task.id}/claim`)).body).toMatchObject({
    workerAddress: getAddress(alice.address),
    status: 'forfeited',
    claimedAt: new Date(Number(START + 2n) * 1000).toISOString(),
  })
})
