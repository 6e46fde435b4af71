import { beforeAll, describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import {
  type PublishedContract,
  type PublishedDocument,
  publishedContract,
  type ServedAnswer,
} from '../support/conformance-contract.ts'

const environment = openEnvironment()

/** The suite validates every answer against the document: this file tests that the validation finds errors. */
describe('Validation of every answer against /openapi.json', () => {
  let contract: PublishedContract
  let answer: ServedAnswer
  // biome-ignore lint/suspicious/noExplicitAny: a complete task, to be changed.
  let task: any

  beforeAll(async () => {
    const response = await fetch(`${environment.baseUrl}/openapi.json`)
    contract = publishedContract((await response.json()) as PublishedDocument)
    const path = `/tasks/${await environment.createTask(await environment.aWallet())}`
    const { status, headers, text, body } = await environment.get(path)
    answer = { method: 'GET', path: `/api${path}`, status, headers, text }
    task = body
  })

  const check = (changes: Partial<ServedAnswer>) => () => contract.check({ ...answer, ...changes })
  const checkBody = (changes: object) => check({ text: JSON.stringify({ ...task, ...changes }) })

  test('a served answer is valid, also with null and additional fields', () => {
    expect(check({})).not.toThrow()
    expect(check({ text: 'null' })).not.toThrow()
    expect(checkBody({ later: true })).not.toThrow()
  })

  test.each<[string, object]>([
    ['a missing field', { netReward: undefined }],
    ['a number for an amount', { reward: 2_000_000 }],
    ['upper case in a hash', { id: `0x${'AB'.repeat(32)}` }],
    ['a time without its zone', { createdAt: '2030-01-01T00:00:00.000' }],
    ['an unknown status', { status: 'accepted' }],
    ['null where there must be a value', { requester: null }],
    ['an invalid pending action', { pendingActions: [{ role: 'worker', action: 'submit' }] }],
  ])('notices %s', (_name, changes) => {
    expect(checkBody(changes)).toThrow(/against its schema/)
  })

  test('finds an undocumented status, an undocumented content type and a missing documented header', () => {
    expect(check({ status: 418 })).toThrow(/does not publish the status 418/)
    expect(check({ headers: new Headers({ 'content-type': 'text/html' }) })).toThrow(/does not publish text\/html/)
    expect(check({ method: 'POST', path: '/api/tasks', status: 402 })).toThrow(/promises the header PAYMENT-REQUIRED/)
  })
})
