import { createHash } from 'node:crypto'
import { keccak } from 'hash-wasm'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTextFile } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** A bounty with a submission of alice and one of bob. */
async function aContest(fields: Record<string, unknown> = {}) {
  const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
  const taskId = await environment.createTask(requester, fields)
  const ofAlice = await environment.submit(alice, taskId, [aTextFile('by alice')])
  const ofBob = await environment.submit(bob, taskId, [aTextFile('by bob')])
  return { requester, alice, bob, taskId, path: `/tasks/${taskId}/submissions`, ofAlice, ofBob }
}

/** A device registered with the wallet's signature. */
async function aDevice(wallet: Actor): Promise<{ deviceId: string; apiToken: string }> {
  const { body } = await environment.post('/devices', { as: wallet, body: { walletAddress: wallet.address } })
  return { deviceId: body.deviceId, apiToken: body.apiToken }
}

const textAt = async (url: string) => await (await environment.fetch(url)).text()

/** Transaction hash of the settlement of a worker's award. */
async function settlementOf(taskId: Hex, { account }: Actor): Promise<Hex> {
  const { awards } = (await environment.get(`/tasks/${taskId}`)).body
  const award = awards.find(({ workerAddress }: { workerAddress: string }) => workerAddress === account.address)
  return award.settlementTxHash
}

describe('Submissions: GET /submissions/mine', () => {
  const mine = async ({ account }: Actor, as?: Actor) =>
    (await environment.get(`/submissions/mine?workerAddress=${account.address}`, as && { as })).body

  test('lists a worker’s submissions to all tasks, the newest first', async () => {
    const { requester, alice, taskId, path } = await aContest()
    const other = await environment.createTask(requester, { description: 'Another\none', reward: '3000000' })
    await environment.submit(alice, other)
    await environment.reject(requester, taskId, alice)
    const [row] = (await environment.get(path)).body
    expect(await mine(alice, alice)).toMatchObject([
      {
        taskId: other,
        taskDescription: 'Another\none',
        taskStatus: 'open',
        taskMode: 'bounty',
        taskReward: '3000000',
        rejectedAt: null,
      },
      {
        taskId,
        taskReward: '2000000',
        submittedAt: row.submittedAt,
        deliverableHash: row.deliverableHash,
        submitTxHash: row.submitTxHash,
        rejectedAt: row.rejectedAt,
      },
    ])
    expect(row.rejectedAt).not.toBeNull()
  })

  test('requires an address', async () => {
    expectRefusal(await environment.get('/submissions/mine'), 400, 'unclassified')
  })
})

describe('Submissions: GET /agents/{address}/work', () => {
  const workOf = async ({ account }: Actor, query = '', as?: Actor) =>
    (await environment.get(`/agents/${account.address}/work${query}`, as && { as })).body

  test('has an item for every award, including secondary and unrated recipients, the newest first', async () => {
    const { requester, alice, bob, taskId } = await aContest({ description: `${'x'.repeat(99)}\nmore` })
    expect(await workOf(alice)).toEqual([])
    await environment.split(requester, taskId, [
      [alice, 7000],
      [bob, 3000],
    ])
    const later = await environment.createTask(requester)
    await environment.submit(bob, later, [aTextFile('again')])
    await environment.accept(requester, later, bob)
    const { awards } = (await environment.get(`/tasks/${taskId}`)).body
    const item = { taskId, taskTitle: 'x'.repeat(80), completedAt: awards[0].settledAt }
    expect(await workOf(alice)).toMatchObject([{ ...item, artifacts: [{ fileName: 'haiku.txt', taskId }] }])
    expect(await workOf(bob)).toMatchObject([{ taskId: later, taskTitle: 'Write a haiku about escrow' }, item])
    expect(await workOf(bob, '?limit=1')).toHaveLength(1)
  })

  test('has URLs of media only, and none if so requested', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const picture = { fileName: 'a.png', mimeType: 'image/png', file: Buffer.from('not really').toString('base64') }
    await environment.submit(alice, taskId, [picture, aTextFile()])
    await environment.accept(requester, taskId, alice)
    const urlsOf = async (query: string) =>
      (await workOf(alice, query))[0].artifacts.map(({ previewUrl }: { previewUrl?: string }) => previewUrl)
    expect(await urlsOf('')).toEqual([expect.stringContaining('/api/artifacts/'), undefined])
    expect(await urlsOf('?includePreviewUrls=none')).toEqual([undefined, undefined])
    expect(await textAt((await urlsOf('?includePreviewUrls=media'))[0])).toBe('not really')
  })
})

describe('Submissions: POST /tasks/{taskId}/submissions/{submissionId}/preview', () => {
  test('returns a URL to devices of the requester and of the submitting worker, and to no other', async () => {
    const { requester, alice, bob, taskId, path, ofAlice } = await aContest()
    const preview = async (device: object) =>
      await environment.post(`${path}/${ofAlice}/preview`, {
        key: null,
        body: { taskId, submissionId: ofAlice, ...device },
      })
    for (const wallet of [requester, alice]) {
      const { status, body } = await preview(await aDevice(wallet))
      expect(status).toBe(200)
      expect(await textAt(body.presignedUrl)).toBe('by alice')
    }
    expectRefusal(await preview(await aDevice(bob)), 403, 'unclassified')
    expectRefusal(await preview({ ...(await aDevice(alice)), apiToken: 'wrong' }), 401, 'unclassified')
    const unverified = await environment.post('/devices', { key: null, body: { walletAddress: alice.address } })
    const { deviceId, apiToken } = unverified.body
    expectRefusal(await preview({ deviceId, apiToken }), 403, 'unclassified')
  })
})

describe('Submissions: POST /tasks/{taskId}/submissions/{submissionId}/download', () => {
  test('returns a URL after acceptance, found by the settlement transaction', async () => {
    const { requester, alice, taskId, path, ofAlice, ofBob } = await aContest()
    const download = (id: Hex, acceptanceTxHash: string) =>
      environment.post(`${path}/${id}/download`, { key: null, body: { submissionId: id, acceptanceTxHash } })
    expectRefusal(await download(ofAlice, `0x${'34'.repeat(32)}`), 409, 'unclassified')
    await environment.accept(requester, taskId, alice)
    const settlement = await settlementOf(taskId, alice)
    const { status, body } = await download(ofAlice, settlement)
    expect(status).toBe(200)
    expect(await textAt(body.presignedUrl)).toBe('by alice')
    expect(Date.parse(body.expiresAt) / 1000).toBeGreaterThan(Number(await environment.chain.headTime()))
    expectRefusal(await download(ofAlice, `0x${'34'.repeat(32)}`), 409, 'unclassified')
    expectRefusal(await download(ofBob, settlement), 409, 'unclassified')
  })
})

describe('Content verification: by any reader', () => {
  test('the served bytes hash to the deliverable on chain', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const names = ['Überblick 二.txt', 'e\u0301.txt', '👩‍🔧 "q".txt', 'שלום.txt', 'a<b>&.html']
    const submissionId = await environment.submit(
      alice,
      taskId,
      names.map((fileName, index) => aTextFile(`${index}: ${fileName}`, { fileName })),
    )
    await expectProven({ taskId, submissionId, worker: alice }, names)
  })
})

/** Implementations of keccak256 and of the manifest that are independent of the service's. */
async function expectProven(
  { taskId, submissionId, worker }: { taskId: Hex; submissionId: Hex; worker: Actor },
  names: readonly string[],
): Promise<void> {
  const answer = await environment.fetch(
    `${environment.baseUrl}/api/tasks/${taskId}/submissions/${submissionId}/manifest`,
  )
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const deliverable = `0x${await keccak(bytes, 256)}` as const
  expect(await environment.chain.isCommitted(taskId, worker.address, deliverable)).toBe(true)
  const manifest = JSON.parse(new TextDecoder().decode(bytes))
  expect(manifest).toMatchObject({ schema: 'service-artifacts-v1', taskId, workerAddress: worker.account.address })
  expect(manifest.artifacts.map(({ fileName }: { fileName: string }) => fileName)).toEqual(names)
  const [row] = (await environment.get(`/tasks/${taskId}/submissions`)).body
  for (const [index, { id }] of row.artifacts.entries()) {
    const { previewUrl } = (await environment.get(`/tasks/${taskId}/artifacts/${id}/preview`)).body
    const file = new Uint8Array(await (await environment.fetch(previewUrl)).arrayBuffer())
    expect(manifest.artifacts[index]).toMatchObject({
      sizeBytes: file.length,
      keccak256Hash: `0x${await keccak(file, 256)}`,
      sha256Hash: createHash('sha256').update(file).digest('hex'),
    })
  }
}
