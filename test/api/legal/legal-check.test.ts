import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../api/db/client.ts'
import { createReceiptToken } from '../../../api/domain/legal/receipt-token.ts'
import { createLegalReceipts } from '../../../api/features/legal/legal-receipts.ts'
import { writes } from '../../../api/server/routes.ts'
import { createLegalCheck, type LegalCheck } from '../../../api/writes/legal-acceptance.ts'
import { catalogue } from '../../../protocol/catalogue.ts'
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

/** The fields of all examples, so that a new write finds its own among them. */
const fieldsOfExamples = Object.assign({}, ...Object.values(catalogue).map(({ example }) => example))

/** One request of a write with a body that its schema takes. */
async function send(path: string, headers: Record<string, string> = {}) {
  const { address } = anActor()
  const body = {
    ...fieldsOfExamples,
    taskId: undefined,
    vaultId: undefined,
    description: 'Write',
    reward: '2000000',
    duration: 24,
    tags: [],
    worker: address,
    workerAddress: address,
    requesterAddress: address,
    rating: 5,
    price: '1000',
    signature: `0x${'ab'.repeat(65)}`,
    winners: [{ worker: address, share: 10_000 }],
    artifacts: [{ ...aFile, ...anUploadedFile(path) }],
    address,
    evaluator: address,
    verdict: 'approve',
    awards: [{ worker: address, amount: '1', rank: 1 }],
    pitchText: 'I can',
    pitchId: aHash(),
    proofData: 'https://example.com',
    proofType: 'url',
    from: address,
    amountBaseUnits: '1000',
    ...(path.endsWith('/claim') && path.includes('vaults') ? aClaimedReward(path, address) : { nonce: aHash() }),
    validBefore: path.endsWith('/bound-only') ? 1 : '1',
    walletAddress: address,
    boundOnly: true,
    counter: '0',
    authorization: { from: address, to: address, value: '1000', validAfter: '0', validBefore: '1', nonce: aHash() },
  }
  const key = crypto.randomUUID()
  const answer = await api.post(`/api${path}`, body, { 'X-Service-Idempotency-Key': key, ...headers })
  const rows = await api.sql`select status from intents where idempotency_key = ${key}`
  return { ...answer, rows }
}
/** As a submission of uploads declares one of its files. */
function anUploadedFile(path: string): Record<string, unknown> {
  const [, , taskId] = path.split('/')
  const hashes = { sha256Hash: '0'.repeat(64), keccak256Hash: aHash() }
  return { artifactKey: `${taskId}/${crypto.randomUUID()}`, sizeBytes: 1, ...hashes }
}

/** The fields of a claim that other writes have not, or otherwise. */
function aClaimedReward(path: string, destination: string) {
  const [, , vaultId] = path.split('/')
  return { vaultId, taskId: aHash(), index: 0, destination, amount: '1', nonce: '0', deadline: '1', proof: [] }
}

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

describe('every write, where acceptance is enforced', () => {
  const cases = writes.map(({ path, legalExempt }) => ({ path, isFree: legalExempt === true }))

  test.each(cases.filter(({ isFree }) => !isFree))('POST $path is refused before anything else', async ({ path }) => {
    // The read identity without an expiry is the same bytes at every deployment: another one may have it.
    const headersOfCallers = [
      {},
      receiptHeader('nonsense'),
      receiptHeader(createReceiptToken()),
      await readHeadersOf(anActor()),
    ]
    for (const headers of headersOfCallers) {
      const { rows, ...answer } = await send(path.replace(/[{](taskId|vaultId)[}]/, aHash()), headers)
      expect(answer).toMatchObject(refusal)
      expect(rows).toEqual([])
    }
  })

  test.each(cases.filter(({ isFree }) => isFree))('POST $path needs none', async ({ path }) => {
    expect(await send(path.replace(/[{](taskId|vaultId)[}]/, aHash()))).toMatchObject({
      // The wallet is known to have no credit and no withdrawal address; the task is not there.
      status: path.startsWith('/wallet/') ? 409 : 404,
      body: { service: { reason: 'payment_preflight_rejected' } },
    })
  })

  test.each(cases.filter(({ isFree }) => !isFree))('POST $path goes on with one', async ({ path }) => {
    const { status } = await send(path.replace(/[{](taskId|vaultId)[}]/, aHash()), receiptHeader(await accept()))
    expect(status).toBe(path.includes('{taskId}') ? 404 : 402)
  })

  test('a blank receipt is none', async () => {
    for (const headers of [{}, receiptHeader(''), receiptHeader(' ')]) {
      expect((await send('/tasks', headers)).body.error).toContain('none was sent')
    }
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

  test('one query for a hundred uses', async () => {
    const receipt = await accept()
    for (let use = 0; use < 100; use += 1) await ask(receipt)
    expect(queries).toBe(1)
  })

  test('no query for what does not look like one, and one for repetitions of an unknown one', async () => {
    for (let use = 0; use < 100; use += 1)
      await expect(ask(`garbage ${use} `.repeat(use + 1))).rejects.toThrow('unknown')
    expect(queries).toBe(0)
    const unknown = createReceiptToken()
    for (let use = 0; use < 100; use += 1) await expect(ask(unknown)).rejects.toThrow('unknown')
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
