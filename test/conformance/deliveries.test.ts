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
async function aContest() {
  const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
  const taskId = await environment.createTask(requester)
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

describe('Submissions: listed, previewed and downloaded', () => {
  test('a delivery is its worker’s, then an award with its files, and its URL follows from device and settlement', async () => {
    const { requester, alice, bob, taskId, path, ofAlice, ofBob } = await aContest()
    const mine = (await environment.get(`/submissions/mine?workerAddress=${alice.account.address}`, { as: alice })).body
    expect(mine).toMatchObject([{ taskId, taskStatus: 'open', taskReward: '2000000', rejectedAt: null }])
    const preview = async (wallet: Actor) => {
      const body = { taskId, submissionId: ofAlice, ...(await aDevice(wallet)) }
      return await environment.post(`${path}/${ofAlice}/preview`, { key: null, body })
    }
    expectRefusal(await preview(bob), 403, 'unclassified')
    expect(await textAt((await preview(requester)).body.presignedUrl)).toBe('by alice')

    const download = (id: Hex, acceptanceTxHash: string) =>
      environment.post(`${path}/${id}/download`, { key: null, body: { submissionId: id, acceptanceTxHash } })
    expectRefusal(await download(ofAlice, `0x${'34'.repeat(32)}`), 409, 'unclassified')
    await environment.accept(requester, taskId, alice)
    const [{ settlementTxHash }] = (await environment.get(`/tasks/${taskId}`)).body.awards
    const { status, body } = await download(ofAlice, settlementTxHash)
    expect(status).toBe(200)
    expect(await textAt(body.presignedUrl)).toBe('by alice')
    expect(Date.parse(body.expiresAt) / 1000).toBeGreaterThan(Number(await environment.chain.headTime()))
    expectRefusal(await download(ofBob, settlementTxHash), 409, 'unclassified')
    expect((await environment.get(`/agents/${alice.account.address}/work`)).body).toMatchObject([
      { taskId, artifacts: [{ fileName: 'haiku.txt', taskId }] },
    ])
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
