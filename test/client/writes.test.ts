import { describe, expect, test } from 'vitest'
import { aClient } from '../support/client/wallets.ts'
import { openEnvironment } from '../support/conformance.ts'

const environment = openEnvironment()
const aTask = { description: 'Write a haiku about escrow', reward: '2000000', duration: 24, tags: ['haiku'] }

describe('A bounty through the client', () => {
  test('given a requester and a worker, then each write completes and moves what it says', async () => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const [asRequester, asWorker] = [aClient(requester), aClient(worker)]
    const money = await environment.chain.watch({ requester: requester.address, worker: worker.address })

    const created = await asRequester.write('createTask', aTask)
    expect(created).toMatchObject({ kind: 'completed', paid: 2_000_000n, taskId: expect.stringMatching(/^0x/) })
    if (created.kind !== 'completed' || created.taskId === null) throw new Error('no task')
    const { taskId } = created
    const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain', file: Buffer.from('Agora').toString('base64') }]
    expect(await asWorker.write('createSubmission', { taskId, artifacts })).toMatchObject({
      kind: 'completed',
      paid: 0n,
    })
    expect(await asRequester.write('acceptSubmission', { taskId, worker: worker.address })).toMatchObject({
      kind: 'completed',
      answer: { success: true },
      paid: 1_000n,
    })
    expect(await asRequester.write('rateWorker', { taskId, worker: worker.address, rating: 90 })).toMatchObject({
      kind: 'completed',
    })
    expect(await money.changes()).toEqual({ requester: -2_002_000n, worker: 1_850_000n })
  })
})
