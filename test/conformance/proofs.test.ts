import { type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()
const { market, forwarder } = environment.chain.deployment
const unknown = `0x${'12'.repeat(32)}` as const

async function aBenchmark(
  fields: Record<string, unknown> = {},
): Promise<{ taskId: Hex; path: string; requester: Actor }> {
  const requester = await environment.aWallet()
  const taskId = await environment.createTask(requester, { mode: 'benchmark', metricDescription: 'ms', ...fields })
  return { taskId, path: `/tasks/${taskId}/proofs`, requester }
}

const aBody = ({ account }: Actor, fields: Record<string, unknown> = {}) => ({
  workerAddress: account.address,
  proofData: 'https://example.com/run/1',
  proofType: 'url',
  signature: 'not verified',
  ...fields,
})

/** A completed proof, of a new wallet unless given. */
async function aProof(path: string, fields: Record<string, unknown> = {}, prover?: Actor) {
  const worker = prover ?? (await environment.aWallet())
  const { status, body } = await environment.pay(worker, path, aBody(worker, fields))
  expect(status, JSON.stringify(body)).toBe(200)
  return { worker, proofId: body.proofId as Hex }
}

const listOf = async (path: string, as?: Actor) => (await environment.get(path, as && { as })).body

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/proofs', () => {
  test('costs 1000, a fee, and is listed in the next read, also among the submissions', async () => {
    const { taskId, path } = await aBenchmark()
    const alice = await environment.aWallet()
    const money = await environment.chain.watch({ alice: alice.address, market, forwarder })
    const body = aBody(alice, { taskId, proofType: 'api_data', metricValue: '1200' })
    const { status, body: answer } = await environment.pay(alice, path, body)
    expect(status).toBe(200)
    const { proofId } = answer
    expect(answer).toEqual({ success: true, proofId: expect.stringMatching(/^0x[0-9a-f]{64}$/), submissionId: proofId })
    expect(await money.changes()).toEqual({ alice: -1000n, market: 0n, forwarder: 1000n })
    const worker = { taskId, workerAddress: alice.account.address, workerAgentId: null }
    const submittedAt = expect.stringMatching(/Z$/)
    expect(await listOf(path)).toEqual([
      {
        ...worker,
        id: proofId,
        submissionId: proofId,
        status: 'pending',
        submittedAt,
        proofData: body.proofData,
        proofType: 'api_data',
        metricValue: '1200',
      },
    ])
    // Spec, "Submission row": a proof-only benchmark entry has a submission row with no artifacts.
    expect(await listOf(`/tasks/${taskId}/submissions`)).toMatchObject([
      { ...worker, id: proofId, artifacts: [], fileUrl: null, signature: null, rejectedAt: null },
    ])
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ submissionCount: 1, status: 'open' })
    expectRefusal(await environment.get(`/tasks/${taskId}/submissions/${proofId}/manifest`), 404, 'unclassified')
  })

  test('the payer must equal workerAddress: another payer is refused, and charged nothing', async () => {
    const { path } = await aBenchmark()
    const bob = await environment.aWallet()
    const money = await environment.chain.watch({ bob: bob.address, forwarder })
    expectRefusal(await environment.pay(bob, path, aBody(anActor())), 403, 'payment_payer_mismatch')
    expect(await money.changes()).toEqual({ bob: 0n, forwarder: 0n })
    expect(await listOf(path)).toEqual([])
  })
})

describe('Claim, pitches, bids, proofs: GET /tasks/{taskId}/proofs', () => {
  test('answers 404 for an unknown task', async () => {
    expect((await environment.get(`/tasks/${unknown}/proofs`)).status).toBe(404)
  })
})

describe('Content verification (raw bytes): GET /tasks/{taskId}/proofs/{proofId}/preimage', () => {
  test('is the bytes whose keccak256 is the commitment, as lower-case hex without a line break', async () => {
    const { taskId, path } = await aBenchmark()
    const { proofId, worker } = await aProof(path, {
      proofData: `{"quelle": "Zürich 🦀", "runs": ${'9'.repeat(9000)}}`,
    })
    const { status, headers, text } = await environment.get(`${path}/${proofId}/preimage`)
    expect(status).toBe(200)
    expect(text).toMatch(/^0x[0-9a-f]+$/)
    const hash = keccak256(text as Hex)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-hash-function': 'keccak256',
      'x-preimage-encoding': 'abi-encoded-bytes',
      'x-proof-hash': hash,
    })
    expect(await environment.chain.isCommitted(taskId, worker.address, hash)).toBe(true)
    const [row] = await listOf(`/tasks/${taskId}/submissions`)
    expect(row).toMatchObject({ deliverableHash: hash, submitTxHash: headers.get('x-submit-tx-hash') })
  })
})
