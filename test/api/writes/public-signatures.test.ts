import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { openNonceSequence } from '../../../api/relayer/transactions/nonce-sequences.queries.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { agreeToEverything } from './fake-payments.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '100' })
  agreeToEverything(api)
})
afterAll(() => api.stop())

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
  await openNonceSequence(api.sql, relayer, 0n)
  const rows = await api.sql<
    { id: string }[]
  >`update intents set status = 'failed' where status = 'recorded' returning id`
  const fees = { gasLimit: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
  for (const { id: intentId } of isSigned ? rows : []) {
    const [hash, raw] = [aHash(), aHash()]
    await insertAttempt(api.sql, { intentId, relayer, nonce: 0n, hash, raw, purpose: 'call', ...fees })
  }
}

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
