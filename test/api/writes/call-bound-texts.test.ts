import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadTaskSnapshot } from '../../../api/read-model/task-snapshot.queries.ts'
import { insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { callTailOf, uploadText } from '../../../protocol/bound-call.ts'
import type { OperationName } from '../../../protocol/derive.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aLocalFile, anUploadRequest } from '../../support/uploads.ts'
import { aDocumentSalt, callOf } from './bound-request.ts'
import { agreeToEverything } from './fake-payments.ts'
import { aStartedApi, openSequences } from './started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '100' }, agreeToEverything)
beforeEach(() => {
  api.deps.deployment.bound = true
})

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

describe('a text that is bound to no call', () => {
  const worker = anActor()
  const isPublic = [403, 'payment_preflight_rejected', 'signature']
  const isBound = [409, 'intent_in_flight', undefined]

  /** A signed write of the worker. @returns status, reason, and the field of its first issue */
  async function send(verb: 'claim' | 'submit', taskId: Hex, headers: Record<string, string> = {}) {
    const signature = await worker.account.signMessage({ message: `service:${verb}:${taskId}` })
    const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain', file: 'YWJj' }]
    const body = { workerAddress: worker.address, signature, ...(verb === 'submit' && { artifacts }) }
    const path = `/api/tasks/${taskId}/${verb === 'claim' ? 'claim' : 'submissions'}`
    const answer = await api.post(path, body, { 'X-Service-Idempotency-Key': crypto.randomUUID(), ...headers })
    return [answer.status, answer.body.service.reason, answer.body.issues?.[0]?.path]
  }

  /** The relayer's transaction of every recorded write reverts, or its simulation. */
  async function revert(isSigned: boolean) {
    const [{ address: relayer }] = api.deps.relayer.accounts
    await openSequences(api)
    const rows = await api.sql<
      { id: string }[]
    >`update intents set status = 'failed' where status = 'recorded' returning id`
    const fees = { gasLimit: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
    for (const { id: intentId } of isSigned ? rows : []) {
      const [hash, raw] = [aHash(), aHash()]
      await insertAttempt(api.sql, { intentId, relayer, nonce: 0n, hash, raw, purpose: 'call', ...fees })
    }
  }

  beforeEach(() => {
    delete api.deps.deployment.bound
  })

  it.each([
    ['claim', 'claim', isPublic],
    ['submit', 'submission', isBound],
  ] as const)(
    'given a %s that reverted, then its signature serves its signer alone where it agrees to the terms (%s)',
    async (verb, _, outcome) => {
      const mode = verb === 'claim' ? 'claim' : 'bounty'
      const { id } = await api.seed.task({ requester: anActor().address, mode })
      expect(await send(verb, id)).toEqual(isBound)
      await revert(false)
      expect(await send(verb, id)).toEqual(isBound)
      await revert(true)
      expect(await send(verb, id)).toEqual(outcome)
      if (outcome === isBound) return
      expect(await send(verb, id, await readHeadersOf(anActor()))).toEqual(isPublic)
      expect(await send(verb, id, await readHeadersOf(worker))).toEqual(isBound)
    },
  )
})
