import { describe, expect, test } from 'vitest'
import { publishedContract, type ServedAnswer } from '../../support/conformance-contract.ts'
import { checkAnswer } from '../../support/fuzz/check-answer.ts'
import { publishedDocument } from '../../support/fuzz/published-document.ts'

const contract = publishedContract(publishedDocument())
const json = new Headers({ 'content-type': 'application/json' })
const docs = 'https://market.example/docs/errors/invalid_input'
const service = { reason: 'unclassified', detail: 'invalid_input', docs }
const refusal = { error: 'limit: must be a whole number.', code: 'BAD_REQUEST', service }

/** The answer of a refused list of tasks, with changes. */
function anAnswer(body: object, changes: Partial<ServedAnswer> = {}): () => void {
  const answer = { method: 'GET', path: '/api/tasks', status: 400, headers: json, text: JSON.stringify(body) }
  return () => checkAnswer(contract, { ...answer, ...changes })
}

describe('an answer to any request', () => {
  test('given an ordinary refusal, then it passes', () => {
    expect(anAnswer(refusal)).not.toThrow()
  })

  test.each<[string, () => void, RegExp]>([
    ['the service failed', anAnswer(refusal, { status: 500 }), /failed/],
    ['a status that is not published', anAnswer(refusal, { status: 418 }), /does not publish/],
    [
      'a page for an answer',
      anAnswer(refusal, { headers: new Headers({ 'content-type': 'text/html' }) }),
      /text\/html/,
    ],
    ['a body of another shape', anAnswer({ message: 'no' }), /against its schema/],
    ['a success of another shape', anAnswer({ tasks: [{}] }, { status: 200 }), /against its schema/],
    [
      'a reason of another status',
      anAnswer({ ...refusal, service: { ...service, reason: 'intent_in_flight' } }),
      /reason|schema/,
    ],
    ['no detail', anAnswer({ ...refusal, service: { reason: 'unclassified', docs } }), /schema/],
    ['a class of another status', anAnswer({ ...refusal, code: 'NOT_FOUND' }), /is not BAD_REQUEST/],
    ['no sentence', anAnswer({ ...refusal, error: ' ' }), /no sentence/],
    ['the inside of the service', anAnswer({ ...refusal, error: 'select a from task' }), /inside/],
    ['no reason on a path that is none', anAnswer({ error: 'no' }, { path: '/api/nothing', status: 404 }), /no reason/],
  ])('given %s, then it is reported', (_name, check, complaint) => {
    expect(check).toThrow(complaint)
  })
})
