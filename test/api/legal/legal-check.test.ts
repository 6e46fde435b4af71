import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../api/db/client.ts'
import { createReceiptToken } from '../../../api/domain/legal/receipt-token.ts'
import { createLegalReceipts } from '../../../api/features/legal/legal-receipts.ts'
import { createLegalCheck, type LegalCheck } from '../../../api/writes/legal-acceptance.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { acceptPolicies, receiptHeader } from '../../support/legal-client.ts'
import { aPolicyDirectory, type PolicyDirectory } from '../../support/policies.ts'
import { aHash } from '../../support/rows/insert-row.ts'

let policies: PolicyDirectory
let api: TestApi
beforeAll(async () => {
  policies = aPolicyDirectory({ version: 'enforced' })
  api = await startTestApi({ LEGAL_DIRECTORY: policies.path, LEGAL_ENFORCEMENT: 'on' })
})
afterAll(async () => {
  await api.stop()
  policies.remove()
})

const accept = (wallet = anActor()) => acceptPolicies((path, body) => api.post(`/api${path}`, body), wallet)

/** One request of a write, and the intents of its key. */
async function send(path: string, body: object, headers: Record<string, string> = {}) {
  const key = crypto.randomUUID()
  const answer = await api.post(`/api${path}`, body, { 'X-Service-Idempotency-Key': key, ...headers })
  const rows = await api.sql`select status from intents where idempotency_key = ${key}`
  return { ...answer, rows }
}
const create = (headers: Record<string, string>) =>
  send('/tasks', { description: 'Write', reward: '2000000', duration: 24, tags: [] }, headers)

const aFile = { fileName: 'a.txt', mimeType: 'text/plain', file: 'YQ==' }

const refusal = {
  status: 403,
  body: {
    code: 'LEGAL_ACCEPTANCE_REQUIRED',
    service: { reason: 'unclassified' },
    error: expect.stringMatching(
      /Nothing was charged\..*\/api\/legal\/current.*\/api\/legal\/challenge.*\/api\/legal\/accept\/wallet.*X-Service-Legal-Receipt/,
    ),
  },
}

/** One pipeline handles all writes; `protected-writes.test.ts` has the exempt ones. */
describe('a write, where acceptance is enforced', () => {
  test('is refused before anything else', async () => {
    // The read identity without an expiry is the same bytes at every deployment: another one may have it.
    const headersOfCallers: [Record<string, string>, string][] = [
      [{}, 'none was sent'],
      [receiptHeader(''), 'none was sent'],
      [receiptHeader(' '), 'none was sent'],
      [receiptHeader('nonsense'), 'unknown'],
      [receiptHeader(createReceiptToken()), 'unknown'],
      [await readHeadersOf(anActor()), 'none was sent'],
    ]
    for (const [headers, words] of headersOfCallers) {
      const { rows, ...answer } = await create(headers)
      expect(answer).toMatchObject(refusal)
      expect(answer.body.error).toContain(words)
      expect(rows).toEqual([])
    }
  })

  test('needs none where it is exempt', async () => {
    expect(await send(`/tasks/${aHash()}/cancel`, {})).toMatchObject({
      // The task is not there.
      status: 404,
      body: { service: { reason: 'payment_preflight_rejected' } },
    })
  })

  test('goes on with one', async () => {
    expect((await create(receiptHeader(await accept()))).status).toBe(402)
  })

  test('a body that is wrong, and a key that is missing, are told first', async () => {
    expect((await api.post('/api/tasks', {}, { 'X-Service-Idempotency-Key': crypto.randomUUID() })).status).toBe(400)
    expect((await api.post('/api/tasks', { reward: '1000' })).body.service.reason).toBe('idempotency_key_required')
  })

  test('reads need none', async () => {
    for (const path of ['/api/tasks', '/api/health', '/api/legal/current', '/openapi.json']) {
      expect((await api.get(path)).status).toBe(200)
    }
    expect((await api.get('/api/legal/current')).body.enforcementEnabled).toBe(true)
  })
})

describe('a signed call', () => {
  test('a submission needs the receipt of its worker, whichever wallet sends it', async () => {
    const [requester, worker] = [anActor(), anActor()]
    const task = await api.seed.task({ requester: requester.address })
    const signature = await worker.account.signMessage({ message: `service:submit:${task.id}` })
    const body = { workerAddress: worker.address, artifacts: [aFile], signature }
    const submit = (receipt: string) =>
      api.post(`/api/tasks/${task.id}/submissions`, body, {
        'X-Service-Idempotency-Key': crypto.randomUUID(),
        ...receiptHeader(receipt),
      })
    const refused = await submit(await accept(requester))
    expect(refused).toMatchObject({ status: 403, body: { code: 'LEGAL_ACCEPTANCE_REQUIRED' } })
    expect(refused.body.error).toContain('another wallet')
    expect(await api.sql`select 1 from intents where operation = 'submissions.create'`).toEqual([])
    // Past the gate: the fake chain simulates nothing.
    expect((await submit(await accept(worker))).body.code).not.toBe('LEGAL_ACCEPTANCE_REQUIRED')
  })
})

describe('what a receipt costs', () => {
  let queries: number
  let counted: Database
  let gate: LegalCheck
  beforeEach(() => {
    queries = 0
    counted = new Proxy(api.deps.sql, {
      apply: (target, self, args) => {
        queries += 1
        return Reflect.apply(target as never, self, args)
      },
    })
    gate = createLegalCheck({ ...api.deps.legal, receipts: createLegalReceipts(counted) }, api.deps.config)
  })

  const ask = (receipt: string) => gate({ exempt: false, receipt, wallet: null })

  test('one query for ten uses', async () => {
    const receipt = await accept()
    for (let use = 0; use < 10; use += 1) await ask(receipt)
    expect(queries).toBe(1)
  })

  test('no query for what does not look like one, and one for repetitions of an unknown one', async () => {
    for (let use = 0; use < 10; use += 1)
      await expect(ask(`garbage ${use} `.repeat(use + 1))).rejects.toThrow('unknown')
    expect(queries).toBe(0)
    const unknown = createReceiptToken()
    for (let use = 0; use < 10; use += 1) await expect(ask(unknown)).rejects.toThrow('unknown')
    expect(queries).toBe(1)
  })

  test('a flood of made-up receipts displaces no genuine one', async () => {
    const receipts = createLegalReceipts(counted, 10)
    const receipt = await accept()
    await receipts.find(receipt)
    for (let count = 0; count < 50; count += 1) expect(await receipts.find(createReceiptToken())).toBeNull()
    queries = 0
    expect(await receipts.find(receipt)).not.toBeNull()
    expect(queries).toBe(0)
  })

  test('no query for a write that needs none', async () => {
    await gate({ exempt: true, receipt: await accept(), wallet: null })
    expect(queries).toBe(0)
  })
})
