import { randomUUID } from 'node:crypto'
import { type Address, type Hex, serializeErc6492Signature } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertWebhook } from '../../../api/events/webhooks/webhooks.queries.ts'
import { openApiDocument } from '../../../api/server/openapi/document.ts'
import { routes, writes } from '../../../api/server/routes.ts'
import { anActor } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { aProgramme } from '../../support/bonus-rows.ts'
import { aTextFile } from '../../support/conformance-fixtures.ts'
import { inlineReferences } from '../../support/inline-references.ts'
import { anAcceptance, challengeFor } from '../../support/legal-client.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aLocalFile, toKeyedFile } from '../../support/uploads.ts'
import { insertSettledVault } from '../../support/vault-rows.ts'
import { agreeToEverything, aPaidCreate } from '../writes/fake-payments.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** A signature that the wallet's contract accepts: as long as a passkey's with its client data, and longer. */
const INNER: Hex = `0x${'ab'.repeat(3_700)}`
const FACTORY: Address = `0x${'fa'.repeat(20)}`
const WRAPPED = serializeErc6492Signature({ address: FACTORY, data: '0xdeadbeef', signature: INNER })
const END = '6492'.repeat(16)

const wallet = anActor()
const { address } = wallet
const other = anActor().address
const [vaultId, settledTask] = [aHash(), aHash()]
const in240 = Number(START + 240n)

let isDeployed: boolean
let asked: Hex[]

const api = aStartedApi({
  WRITE_ANSWER_MS: '100',
  MINT_ANSWER_MS: '50',
  FOREIGN_WEI_PER_DAY: String(10n ** 21n),
  CURATORS: address,
})
beforeAll(async () => {
  agreeToEverything(api)
  api.deps.deployment.bound = true
  await aProgramme(api.sql)
  const vault = { vaultId, vault: anActor().address, hook: anActor().address, taskId: settledTask, worker: address }
  await insertSettledVault(api.sql, { ...vault, amount: 5n })
  const verify = async ({ signature }: { signature: Hex }) => {
    asked.push(signature)
    return signature === INNER
  }
  Object.assign(api.chain, { hasCode: async () => isDeployed, verifyMessage: verify, verifyTypedData: verify })
})
beforeEach(() => {
  asked = []
})

const aTask = async (columns: Record<string, unknown> = {}) =>
  (await api.seed.task({ requester: anActor().address, ...columns })).id
const nonce = aHash

/** For each operation that takes a signature in its body: its path and the body without the signature. */
const bodies: Record<string, () => Promise<{ path: string; body: object; method?: 'DELETE' }>> = {
  createSubmission: async () => {
    const taskId = await aTask()
    return { path: `/tasks/${taskId}/submissions`, body: { taskId, workerAddress: address, artifacts: [aTextFile()] } }
  },
  requestUploadUrl: async () => {
    const taskId = await aTask()
    const { bytes, ...file } = aLocalFile()
    const body = { taskId, workerAddress: address, ...file, sizeBytes: bytes.length }
    return { path: `/tasks/${taskId}/submissions/request-upload-url`, body }
  },
  createSubmissionFromKeys: async () => {
    const taskId = await aTask()
    const artifacts = [toKeyedFile(`${taskId}/${randomUUID()}`, aLocalFile())]
    return { path: `/tasks/${taskId}/submissions/from-keys`, body: { taskId, workerAddress: address, artifacts } }
  },
  createClaim: async () => {
    const taskId = await aTask({ mode: 'claim' })
    return { path: `/tasks/${taskId}/claim`, body: { taskId, workerAddress: address } }
  },
  forfeitTask: async () => {
    const claimed = { mode: 'claim', status: 'claimed', worker: other, expiryTime: START - 10n }
    const taskId = await aTask({ requester: address, ...claimed })
    return { path: `/tasks/${taskId}/forfeit`, body: { taskId, requesterAddress: address } }
  },
  selectWorker: async () => {
    const taskId = await aTask({ requester: address, mode: 'pitch' })
    const { id: pitchId } = await api.seed.pitch(taskId, other)
    return { path: `/tasks/${taskId}/pitches/select`, body: { taskId, pitchId, workerAddress: other } }
  },
  setWithdrawalAddress: async () => ({
    path: '/wallet/set-withdrawal-address',
    body: { walletAddress: address, withdrawalAddress: other },
  }),
  revealRecoveryCode: async () => ({ path: '/wallet/reveal-recovery-code', body: { address } }),
  revealBackfilledRecoveryCode: async () => ({ path: '/wallet/reveal-backfilled-recovery-code', body: { address } }),
  setVaultCuration: async () => ({
    path: `/sponsored-task-vaults/${vaultId}/curation`,
    body: { status: 'approved', timestamp: Number(START) },
  }),
  registerDevice: async () => ({ path: '/devices', body: { walletAddress: address } }),
  setWalletConsent: async () => ({
    path: '/wallet/consent',
    body: { walletAddress: address, required: true, timestamp: Number(START) },
  }),
  acceptLegalBundle: async () => {
    const post = (path: string, body: unknown) => api.post(`/api${path}`, body)
    const { signature: _, ...body } = await anAcceptance(await challengeFor(post, wallet), wallet)
    return { path: '/legal/accept/wallet', body }
  },
  withdraw: async () => {
    const authorization = { from: address, to: other, value: '5000', validAfter: '0', validBefore: String(in240) }
    const body = { from: address, amountBaseUnits: '5000', authorization: { ...authorization, nonce: nonce() } }
    return { path: '/wallet/withdraw', body }
  },
  withdrawToken: async () => ({
    path: '/wallet/withdraw-token',
    body: { workerAddress: address, destination: other, nonce: nonce(), validBefore: in240 },
  }),
  setBoundOnly: async () => ({
    path: '/wallet/bound-only',
    body: { walletAddress: address, boundOnly: true, counter: '0', validBefore: Number(in240) },
  }),
  claimSponsoredReward: async () => {
    const terms = { index: 0, workerAddress: address, destination: other, amount: '5', nonce: '0', proof: [] }
    return {
      path: `/sponsored-task-vaults/${vaultId}/claim`,
      body: { vaultId, taskId: settledTask, ...terms, deadline: String(in240) },
    }
  },
  createWebhook: async () => ({
    path: '/webhooks',
    body: { address, url: `https://hook.invalid/${randomUUID()}`, timestamp: Number(START) },
  }),
  rotateWebhookSecret: async () => await aChange('/rotate'),
  resumeWebhook: async () => await aChange('/resume'),
  testWebhook: async () => await aChange('/test'),
  replayWebhook: async () => await aChange('/replay', { after: '0123456789ab-0' }),
  deleteWebhook: async () => ({ ...(await aChange('')), method: 'DELETE' }),
}

/** A change of a new webhook. */
async function aChange(path: string, more: object = {}) {
  const [id, sealedSecret] = [randomUUID(), Buffer.from('')]
  const url = 'http://127.0.0.1:1/'
  const narrowing = { kinds: null, taskId: null, filters: null }
  const webhook = { id, wallet: address, client: '', url, host: id, ...narrowing, sealedSecret, signedAt: 0n }
  await api.sql.begin((tx) => insertWebhook(tx, webhook))
  return { path: `/webhooks/${id}${path}`, body: { ...more, timestamp: Number(START) } }
}

/** Paid writes whose body has a signature that the interface does not verify: the payer acts. */
const unverified = ['createPitch', 'createProof']

const send = async (operationId: string, signature: Hex = WRAPPED): Promise<Answer> => {
  const made = await bodies[operationId]?.()
  if (made === undefined) throw new Error(`${operationId} has no body`)
  const headers = { 'X-Service-Idempotency-Key': randomUUID() }
  const body = { ...made.body, signature }
  if (made.method === undefined) return await api.post(`/api${made.path}`, body, headers)
  const response = await api.app.request(`/api${made.path}`, {
    method: made.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const detailOf = ({ body }: Answer) => body.service?.detail

test('every operation with a signature in its body is in the table, and takes at most 4,096 bytes', () => {
  const document = inlineReferences(
    openApiDocument({ routes, writes, serviceName: 'service', chainId: 8453, examples: {} }),
  )
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path ?? {}))
  const lengths: Record<string, number> = {}
  for (const { operationId = '', requestBody } of operations as { operationId?: string; requestBody?: unknown }[]) {
    JSON.stringify(requestBody ?? null, (name, value) => {
      if (name === 'signature') lengths[operationId] = value.maxLength
      return value
    })
  }
  expect(lengths).toEqual(
    Object.fromEntries([...Object.keys(bodies), ...unverified].map((name) => [name, '0x'.length + 2 * 4_096])),
  )
})

describe.each(Object.keys(bodies))('a signature in the body of %s', (operationId) => {
  test('given of a smart wallet that is not deployed, then it is refused as that', async () => {
    isDeployed = false
    const answer = await send(operationId)
    expect([answer.status, detailOf(answer)]).toEqual([403, 'wallet_not_deployed'])
    expect(asked).toEqual([])
  })

  test('given in an envelope of a wallet that is deployed, then the inner one is checked, and it alone is stored', async () => {
    isDeployed = true
    const answer = await send(operationId)
    expect(['wallet_not_deployed', 'signature_invalid']).not.toContain(detailOf(answer))
    expect([...new Set(asked)]).toEqual([INNER])
    const rows = await api.sql`
      select id from intents where position(${END} in concat(actor_signature, payment_signature, calldata)) > 0`
    expect(rows).toEqual([])
  })
})

describe('a repeated request', () => {
  test('given the same inner signature in another envelope or in none, then it is the same request', async () => {
    isDeployed = true
    const { path, body } = (await bodies.createClaim?.()) ?? { path: '', body: {} }
    const headers = { 'X-Service-Idempotency-Key': randomUUID() }
    const rewrapped = serializeErc6492Signature({ address: FACTORY, data: '0x01', signature: INNER })
    const reasonOf = async (signature: Hex) =>
      (await api.post(`/api${path}`, { ...body, signature }, headers)).body.service?.reason
    expect(await reasonOf(WRAPPED)).toBe('intent_in_flight')
    expect(await reasonOf(rewrapped)).toBe('idempotency_key_reused')
    expect(await reasonOf(INNER)).toBe('idempotency_key_reused')
    expect(await reasonOf(`${INNER}00`)).toBe('idempotency_key_payload_mismatch')
  })
})

describe('a payment', () => {
  test('given of a smart wallet that is not deployed, then 402 says so', async () => {
    isDeployed = false
    const answer = await aPaidCreate(api, {}, anActor(), WRAPPED).roundTwo()
    expect([answer.status, detailOf(answer)]).toEqual([402, 'wallet_not_deployed'])
  })

  test('given in an envelope of a wallet that is deployed, then the inner one is stored', async () => {
    isDeployed = true
    const create = aPaidCreate(api, {}, anActor(), WRAPPED)
    await create.roundTwo()
    const rows = await api.sql`select payment_signature from intents where idempotency_key = ${create.key}`
    expect(rows.map(({ paymentSignature }) => paymentSignature)).toEqual([INNER])
  })
})

describe('a read identity', () => {
  test('given in an envelope, then a deployed wallet is the caller by the inner one, and another one is anonymous', async () => {
    const { id } = await api.seed.task({ requester: address }, { taskVisibility: 'private' })
    const answersTo = async (signature: Hex) => {
      const headers = { 'X-Service-Caller-Address': address, 'X-Service-Caller-Signature': signature }
      return await Promise.all(
        [
          `/api/tasks/${id}/private-access/viewers`,
          `/api/wallet/withdrawal-address/history?address=${address}`,
          '/api/bids/my',
        ].map((path) => api.get(path, headers)),
      )
    }
    const statusAs = async (signature: Hex) => [...new Set((await answersTo(signature)).map(({ status }) => status))]
    isDeployed = false
    const undeployed = serializeErc6492Signature({ address: FACTORY, data: '0x02', signature: INNER })
    expect(await statusAs(undeployed)).toEqual([401])
    expect((await answersTo(undeployed)).map(detailOf)).toEqual(Array(3).fill('wallet_not_deployed'))
    expect(asked).toEqual([])
    isDeployed = true
    expect(await statusAs(WRAPPED)).toEqual([200])
    expect(await statusAs(INNER)).toEqual([200])
    expect([...new Set(asked)]).toEqual([INNER])
  })
})

describe('a signature of more than 4,096 bytes', () => {
  test('given in a body, then it is refused by its field', async () => {
    const { status, body } = await send('createClaim', `0x${'ab'.repeat(4_097)}`)
    expect([status, body.issues?.[0]?.path]).toEqual([400, 'signature'])
  })

  test.each([4_097, 6_000])(
    'given of %i bytes in a payment, then the refusal names its field and the limit',
    async (size) => {
      const answer = await aPaidCreate(api, {}, anActor(), `0x${'ab'.repeat(size)}`).roundTwo()
      expect([answer.status, answer.body.service.reason]).toEqual([400, 'payment_rejected'])
      expect(answer.body.error).toMatch(/payload\.signature.* at most 4096 bytes/)
    },
  )
})
