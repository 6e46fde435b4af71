import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadTaskSnapshot } from '../../../api/read-model/task-snapshot.queries.ts'
import { callTailOf, uploadText } from '../../../protocol/bound-call.ts'
import type { OperationName } from '../../../protocol/derive.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aLocalFile, anUploadRequest } from '../../support/uploads.ts'
import { aDocumentSalt, callOf } from './bound-request.ts'
import { agreeToEverything } from './fake-payments.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '100' })
  agreeToEverything(api)
})
beforeEach(() => {
  api.deps.deployment.bound = true
})
afterAll(() => api?.stop())

const requester = anActor()
const BOUND = [409, 'intent_in_flight']

/** The tail of the text that is bound to the call of a request. */
function tailOf(
  name: OperationName,
  { request, actor, facts = {} }: { request: Record<string, unknown>; actor: Hex; facts?: Record<string, unknown> },
): string {
  return callTailOf(callOf(api, name, { request, actor, facts }).data, api.deps.deployment)
}

async function post(path: string, body: Record<string, unknown>) {
  const key = randomUUID()
  const { status, body: answer } = await api.post(path, body, { 'X-Service-Idempotency-Key': key })
  const [row] = await api.sql<{ suffix: string; relayMode: string }[]>`
    select suffix, relay_mode from intents where idempotency_key = ${key} and status <> 'reserved'`
  return { outcome: [status, answer.service.reason], detail: answer.service.detail, error: answer.error, row }
}

/** A claim of a task in a round; `changes`: of the call that is signed. */
async function claim(round: number, { changes = {} }: { changes?: Record<string, unknown> } = {}) {
  const worker = anActor()
  const { id: taskId } = await api.seed.task({ requester: requester.address, mode: 'claim', claimRound: round })
  const snapshot = await loadTaskSnapshot(api.sql, taskId)
  const termsHash = snapshot && termsHashOf(snapshot)
  const facts = { termsHash, stake: 0n, claimRound: round }
  const body = { workerAddress: worker.address, signature: '0x' }
  const tail = tailOf('claims.create', {
    request: { taskId, ...body },
    actor: worker.address,
    facts: { ...facts, ...changes },
  })
  const message = `service:claim:${taskId}${round === 0 ? '' : `:${round}`}${tail}`
  return await post(`/api/tasks/${taskId}/claim`, { ...body, signature: await worker.account.signMessage({ message }) })
}

describe('a claim', () => {
  it.each([0, 2])(
    'given a text that is bound to its call in round %i, then the forwarder is to rebuild it',
    async (round) => {
      const { outcome, row } = await claim(round)
      expect([outcome, row]).toEqual([BOUND, { suffix: ':call', relayMode: 'signed' }])
    },
  )

  it('given a text for other terms, then it is refused without the hash of the right call', async () => {
    const { outcome, detail, error } = await claim(0, { changes: { termsHash: `0x${'0e'.repeat(32)}` } })
    expect([outcome, detail]).toEqual([[403, 'payment_preflight_rejected'], 'signature_invalid'])
    expect(error).toMatch(/:call:\d+:0x(b2){20}:<keccak256 of the data of the call>"\.$/)
  })

  it('given a deployment from before bound payments, then only the plain text counts', async () => {
    delete api.deps.deployment.bound
    expect((await claim(0)).outcome).toEqual([403, 'payment_preflight_rejected'])
  })
})

describe('a submission of files in the body', () => {
  const file = { fileName: 'work.txt', mimeType: 'text/plain' }

  async function submit(worker: Actor, taskId: Hex, signed: { text?: string; tail?: boolean } = {}) {
    const documentSalt = aDocumentSalt()
    const bytes = Buffer.from(signed.text ?? 'the work')
    const hashes = await api.deps.hasher.hash(
      (async function* () {
        yield bytes
      })(),
    )
    const body = { workerAddress: worker.address, signature: '0x', documentSalt }
    const artifacts = [{ ...file, ...hashes }]
    const tail =
      signed.tail === false
        ? ''
        : tailOf('submissions.create', { request: { taskId, ...body, artifacts }, actor: worker.address })
    const signature = await worker.account.signMessage({ message: `service:submit:${taskId}${tail}` })
    const sent = { ...body, signature, artifacts: [{ ...file, file: Buffer.from('the work').toString('base64') }] }
    return await post(`/api/tasks/${taskId}/submissions`, sent)
  }

  it('given a text that names the deliverable, then it counts, and later ones of the worker need one too', async () => {
    const worker = anActor()
    const { id } = await api.seed.task({ requester: requester.address })
    expect(await submit(worker, id)).toMatchObject({ outcome: BOUND, row: { suffix: ':call' } })
    expect((await submit(worker, id, { tail: false })).outcome).toEqual([403, 'payment_preflight_rejected'])
    expect((await submit(worker, id)).outcome).toEqual(BOUND)
  })

  it('given the text of other files, then it is refused', async () => {
    const { id } = await api.seed.task({ requester: requester.address })
    const { outcome, detail } = await submit(anActor(), id, { text: 'other work' })
    expect([outcome, detail]).toEqual([[403, 'payment_preflight_rejected'], 'signature_invalid'])
  })
})

it('given the text of uploads, then it is taken for an upload, and for no submission', async () => {
  const worker = anActor()
  const { id: taskId } = await api.seed.task({ requester: requester.address })
  const message = uploadText('service', api.deps.deployment, { taskId, worker: worker.address })
  const signature = await worker.account.signMessage({ message })
  const request = await anUploadRequest(worker, taskId, aLocalFile('the work'))
  const path = `/api/tasks/${taskId}/submissions/request-upload-url`
  expect((await api.post(path, { ...request, signature })).status).toBe(200)
  const artifacts = [{ fileName: 'work.txt', mimeType: 'text/plain', file: 'QQ==' }]
  const submission = await post(`/api/tasks/${taskId}/submissions`, {
    workerAddress: worker.address,
    signature,
    artifacts,
  })
  expect(submission.outcome).toEqual([403, 'payment_preflight_rejected'])
})
