import { createHash } from 'node:crypto'
import { keccak } from 'hash-wasm'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTextFile } from '../support/conformance-fixtures.ts'

const environment = openEnvironment()

/** An implementation of keccak256 that is independent of the service's. */
const hashOf = async (bytes: Uint8Array | string) => `0x${await keccak(bytes, 256)}` as const

describe('Content verification: by any reader', () => {
  test('given a delivery of files, then their bytes and its manifest hash to the deliverable on chain', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const names = ['Überblick 二.txt', 'e\u0301.txt', '👩‍🔧 "q".txt', 'שלום.txt', 'a<b>&.html']
    const submissionId = await environment.submit(
      alice,
      taskId,
      names.map((fileName, index) => aTextFile(`${index}: ${fileName}`, { fileName })),
    )
    const { headers, text } = await environment.get(`/tasks/${taskId}/submissions/${submissionId}/manifest`)
    const deliverable = await hashOf(text)
    expect(await environment.chain.isCommitted(taskId, alice.address, deliverable)).toBe(true)
    const logs = await environment.chain.marketLogs(headers.get('x-submit-tx-hash') as Hex)
    expect(logs.find(({ eventName }) => eventName === 'TaskSubmitted')?.args).toMatchObject({
      taskId,
      worker: alice.account.address,
      deliverable,
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-hash-function': 'keccak256',
      'x-preimage-encoding': 'json-utf8',
      'x-deliverable-hash': deliverable,
    })
    const manifest = JSON.parse(text)
    expect(manifest).toMatchObject({ schema: 'service-artifacts-v1', taskId, workerAddress: alice.account.address })
    expect(manifest.artifacts.map(({ fileName }: { fileName: string }) => fileName)).toEqual(names)
    const [row] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    for (const [index, { id }] of row.artifacts.entries()) {
      const { previewUrl } = (await environment.get(`/tasks/${taskId}/artifacts/${id}/preview`)).body
      const file = new Uint8Array(await (await environment.fetch(previewUrl)).arrayBuffer())
      expect(manifest.artifacts[index]).toMatchObject({
        sizeBytes: file.length,
        keccak256Hash: await hashOf(file),
        sha256Hash: createHash('sha256').update(file).digest('hex'),
      })
    }
  })

  test('given a rating, then its file is at the URI on chain, and hashes to the feedback hash there', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    await environment.accept(requester, taskId, alice)
    const feedbackText = 'Précis, concis — 五'
    const feedbackId = await environment.rate(requester, taskId, { worker: alice, rating: 91, feedbackText })
    const { headers, text } = await environment.get(`/feedback/${feedbackId}`)
    const [feedback] = (await environment.get(`/tasks/${taskId}/feedbacks`)).body.feedbacks
    const logs = await environment.chain.marketLogs(feedback.ratingTxHash)
    const feedbackURI = `${environment.baseUrl}/api/feedback/${feedbackId}`
    expect(logs.find(({ eventName }) => eventName === 'TaskRated')?.args).toMatchObject({
      feedbackHash: await hashOf(text),
      feedbackURI,
      rating: 91,
    })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(text).toContain(feedbackText)
  })

  const aPitch = ({ account }: Actor) => ({
    pitchText: 'Zürich 🦀',
    workerAddress: account.address,
    signature: 'not verified',
  })
  const aProof = ({ account }: Actor) => ({
    proofData: `{"quelle": "Zürich 🦀", "runs": ${'9'.repeat(9000)}}`,
    proofType: 'url',
    workerAddress: account.address,
    signature: 'not verified',
  })
  test.each([
    ['pitch', { mode: 'pitch' }, aPitch, 'pitchHash'],
    ['proof', { mode: 'benchmark', metricDescription: 'ms' }, aProof, 'proofHash'],
  ] as const)('given a %s, then its preimage is the bytes whose hash is on chain', async (kind, task, bodyOf, name) => {
    const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester, task)
    const path = `/tasks/${taskId}/${kind === 'pitch' ? 'pitches' : 'proofs'}`
    const { body } = await environment.pay(worker, path, bodyOf(worker))
    const { status, headers, text } = await environment.get(`${path}/${body[`${kind}Id`]}/preimage`)
    expect([status, text]).toEqual([200, expect.stringMatching(/^0x[0-9a-f]+$/)])
    const hash = await hashOf(Buffer.from(text.slice(2), 'hex'))
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-hash-function': 'keccak256',
      'x-preimage-encoding': 'abi-encoded-bytes',
      [`x-${kind}-hash`]: hash,
    })
    const logs = await environment.chain.marketLogs(headers.get('x-submit-tx-hash') as Hex)
    expect(logs).toContainEqual(
      expect.objectContaining({
        args: expect.objectContaining({ taskId, worker: worker.account.address, [name]: hash }),
      }),
    )
  })
})
