import { createHash } from 'node:crypto'
import { type Hex, keccak256, stringToBytes, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTextFile } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** The raw bytes of a route's body. */
async function bytesOf(path: string): Promise<{ headers: Headers; bytes: Uint8Array; text: string }> {
  const { headers, text } = await environment.get(path)
  return { headers, bytes: stringToBytes(text), text }
}

async function aDelivery(texts: string[]): Promise<{ taskId: Hex; alice: Actor; requester: Actor; submissionId: Hex }> {
  const [requester, alice] = [await environment.aWallet(), anActor()]
  const taskId = await environment.createTask(requester)
  const files = texts.map((text, index) => aTextFile(text, { fileName: `${index} — 二.txt` }))
  return { taskId, alice, requester, submissionId: await environment.submit(alice, taskId, files) }
}

describe('Content verification (raw bytes): GET /tasks/{taskId}/submissions/{submissionId}/manifest', () => {
  test('hashes to the deliverable that the worker committed on chain', async () => {
    const { taskId, alice, submissionId } = await aDelivery(['one', 'two'])
    const { headers, bytes } = await bytesOf(`/tasks/${taskId}/submissions/${submissionId}/manifest`)
    const hash = keccak256(bytes)
    expect(await environment.chain.isCommitted(taskId, alice.address, hash)).toBe(true)
    const submitted = (await environment.chain.marketLogs(headers.get('x-submit-tx-hash') as Hex)).find(
      ({ eventName }) => eventName === 'TaskSubmitted',
    )
    expect(submitted?.args).toMatchObject({ taskId, worker: alice.account.address, deliverable: hash })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-hash-function': 'keccak256',
      'x-preimage-encoding': 'json-utf8',
      'x-deliverable-hash': hash,
    })
  })

  test('is JSON of service-artifacts-v1 with sorted keys, artifacts in displayOrder, and no whitespace', async () => {
    const { taskId, submissionId } = await aDelivery(['one', 'two', 'three'])
    const { text } = await bytesOf(`/tasks/${taskId}/submissions/${submissionId}/manifest`)
    const manifest = JSON.parse(text)
    expect(text).toContain('"service-artifacts-v1"')
    expect(Object.keys(manifest)).toEqual(Object.keys(manifest).sort())
    for (const artifact of manifest.artifacts) expect(Object.keys(artifact)).toEqual(Object.keys(artifact).sort())
    expect(manifest.artifacts.map(({ displayOrder }: { displayOrder: number }) => displayOrder)).toEqual([0, 1, 2])
    expect(text).toBe(JSON.stringify(manifest))
  })

  test('has the hashes of each file, equal to those of the submission list', async () => {
    const { taskId, submissionId } = await aDelivery(['one', 'two'])
    const { text } = await bytesOf(`/tasks/${taskId}/submissions/${submissionId}/manifest`)
    const [row] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    for (const [index, content] of ['one', 'two'].entries()) {
      const entry = JSON.parse(text).artifacts[index]
      expect(entry).toMatchObject({
        fileName: `${index} — 二.txt`,
        mimeType: 'text/plain',
        sha256Hash: createHash('sha256').update(content).digest('hex'),
        keccak256Hash: keccak256(toHex(content)),
      })
      expect(row.artifacts[index]).toMatchObject({ fileName: entry.fileName, keccak256Hash: entry.keccak256Hash })
    }
  })

  test('is salted: the same files have different commitments', async () => {
    const { taskId, alice } = await aDelivery(['same'])
    await environment.submit(alice, taskId, [aTextFile('same', { fileName: '0 — 二.txt' })])
    const [first, second] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    expect(first.deliverableHash).not.toBe(second.deliverableHash)
  })

  test('answers 404 for an unknown submission and one of another task', async () => {
    const { taskId } = await aDelivery(['one'])
    const other = await aDelivery(['two'])
    for (const id of [`0x${'01'.repeat(32)}`, other.submissionId]) {
      expectRefusal(await environment.get(`/tasks/${taskId}/submissions/${id}/manifest`), 404, 'unclassified')
    }
  })
})

describe('Content verification (raw bytes): GET /feedback/{id}', () => {
  test('hashes to the feedback hash of the rating on chain', async () => {
    const { taskId, requester, alice } = await aDelivery(['one'])
    await environment.accept(requester, taskId, alice)
    const feedbackText = 'Précis, concis — 五'
    const feedbackId = await environment.rate(requester, taskId, { worker: alice, rating: 91, feedbackText })
    const { headers, bytes, text } = await bytesOf(`/feedback/${feedbackId}`)
    const [feedback] = (await environment.get(`/tasks/${taskId}/feedbacks`)).body.feedbacks
    const rated = (await environment.chain.marketLogs(feedback.ratingTxHash)).find(
      ({ eventName }) => eventName === 'TaskRated',
    )
    expect(rated?.args).toMatchObject({ feedbackHash: keccak256(bytes), rating: 91 })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(text).toContain(feedbackText)
  })

  test('is at the URI of the rating on chain', async () => {
    const { taskId, requester, alice } = await aDelivery(['one'])
    await environment.accept(requester, taskId, alice)
    const feedbackId = await environment.rate(requester, taskId, { worker: alice, rating: 55 })
    const [feedback] = (await environment.get(`/tasks/${taskId}/feedbacks`)).body.feedbacks
    const logs = await environment.chain.marketLogs(feedback.ratingTxHash)
    const uris = logs.flatMap((log) => (log.eventName === 'TaskRated' ? [log.args.feedbackURI] : []))
    expect(uris).toEqual([`${environment.baseUrl}/api/feedback/${feedbackId}`])
    expect(await (await environment.fetch(uris[0] ?? '')).text()).toBe((await bytesOf(`/feedback/${feedbackId}`)).text)
  })

  test('answers 404 for an unknown feedback', async () => {
    expectRefusal(await environment.get(`/feedback/0x${'02'.repeat(32)}`), 404, 'unclassified')
  })
})
