import { type Hex, keccak256, stringToBytes } from 'viem'
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
