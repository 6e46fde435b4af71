import { type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()
const { market, forwarder } = environment.chain.deployment
const unknown = `0x${'12'.repeat(32)}` as const

async function aPitchTask(
  fields: Record<string, unknown> = {},
): Promise<{ taskId: Hex; path: string; requester: Actor }> {
  const requester = await environment.aWallet()
  const taskId = await environment.createTask(requester, { mode: 'pitch', ...fields })
  return { taskId, path: `/tasks/${taskId}/pitches`, requester }
}

const aBody = ({ account }: Actor, fields: Record<string, unknown> = {}) => ({
  workerAddress: account.address,
  pitchText: 'I have done this before',
  signature: 'not verified',
  ...fields,
})

/** A pitch of a new wallet that landed. */
async function aPitch(path: string, fields: Record<string, unknown> = {}) {
  const worker = await environment.aWallet()
  const { status, body } = await environment.pay(worker, path, aBody(worker, fields))
  expect(status, JSON.stringify(body)).toBe(200)
  return { worker, pitchId: body.pitchId as Hex }
}

const listOf = async (path: string) => (await environment.get(path)).body
const select = (requester: Actor, path: string, { pitchId, worker }: { pitchId: Hex; worker: Actor }, fields = {}) =>
  environment.pay(requester, `${path}/select`, { pitchId, workerAddress: worker.account.address, ...fields })

const signSelection = async (signer: Actor, taskId: Hex, { pitchId, worker }: { pitchId: Hex; worker: Actor }) =>
  await signer.account.signMessage({ message: `service:select-worker:${taskId}:${pitchId}:${worker.address}` })

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/pitches', () => {
  test('costs 1000, a fee, and is listed in the next read', async () => {
    const { taskId, path } = await aPitchTask()
    const alice = await environment.aWallet()
    const money = await environment.chain.watch({ alice: alice.address, market, forwarder })
    const { status, body } = await environment.pay(alice, path, aBody(alice, { taskId, estimatedDuration: 1.5 }))
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, pitchId: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    expect(await money.changes()).toEqual({ alice: -1000n, market: 0n, forwarder: 1000n })
    const rows = await listOf(path)
    expect(rows).toEqual([
      {
        id: body.pitchId,
        taskId,
        workerAddress: alice.account.address,
        workerAgentId: null,
        status: 'pending',
        pitchText: 'I have done this before',
        estimatedDuration: 1.5,
        submittedAt: expect.stringMatching(/Z$/),
        workerStats: { completedTasks: 0, averageRating: null },
      },
    ])
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      pitchCount: 1,
      status: 'open',
      submissionCount: 0,
    })
    expect(JSON.stringify(rows)).not.toContain('not verified')
  })

  test('the payer must equal workerAddress: another payer is refused, and charged nothing', async () => {
    const { path } = await aPitchTask()
    const bob = await environment.aWallet()
    const money = await environment.chain.watch({ bob: bob.address, forwarder })
    expectRefusal(await environment.pay(bob, path, aBody(anActor())), 403, 'payment_payer_mismatch')
    expect(await money.changes()).toEqual({ bob: 0n, forwarder: 0n })
    expect(await listOf(path)).toEqual([])
  })
})

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/pitches/select', () => {
  test('assigns the worker: worker_selected, claimedBy set, the worker’s pitch selected and the others rejected', async () => {
    const { taskId, path, requester } = await aPitchTask()
    const [ofAlice, ofBob] = [await aPitch(path), await aPitch(path)]
    const signature = await signSelection(requester, taskId, ofBob)
    const money = await environment.chain.watch({ requester: requester.address, market, forwarder })
    const { status, body } = await select(requester, path, ofBob, { taskId, signature })
    expect([status, body]).toEqual([200, { success: true }])
    expect(await money.changes()).toEqual({ requester: -1000n, market: 0n, forwarder: 1000n })
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'worker_selected',
      phase: 'active',
      submissionWindowOpen: true,
      claimedBy: ofBob.worker.account.address,
      claimedAt: expect.stringMatching(/Z$/),
      pitchCount: 2,
    })
    expect(await listOf(path)).toMatchObject([
      { id: ofAlice.pitchId, status: 'rejected' },
      { id: ofBob.pitchId, status: 'selected' },
    ])
  })
})

describe('Claim, pitches, bids, proofs: GET /tasks/{taskId}/pitches', () => {
  test('answers 404 for an unknown task, and an empty list for one without pitches', async () => {
    expect((await environment.get(`/tasks/${unknown}/pitches`)).status).toBe(404)
    expect(await listOf((await aPitchTask()).path)).toEqual([])
  })
})

describe('Content verification (raw bytes): GET /tasks/{taskId}/pitches/{pitchId}/preimage', () => {
  test('is the bytes whose keccak256 is the commitment, as lower-case hex without a line break', async () => {
    const { taskId, path } = await aPitchTask()
    const { pitchId, worker } = await aPitch(path, { pitchText: 'Zürich 🦀' })
    const { status, headers, text } = await environment.get(`${path}/${pitchId}/preimage`)
    expect(status).toBe(200)
    expect(text).toMatch(/^0x[0-9a-f]+$/)
    const hash = keccak256(text as Hex)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-hash-function': 'keccak256',
      'x-preimage-encoding': 'abi-encoded-bytes',
      'x-pitch-hash': hash,
    })
    const logs = await environment.chain.marketLogs(headers.get('x-submit-tx-hash') as Hex)
    expect(logs).toMatchObject([{ args: { taskId, worker: worker.account.address, pitchHash: hash } }])
  })
})
