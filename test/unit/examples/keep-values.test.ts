import { expect, test } from 'vitest'
import type { Examples } from '../../../api/server/openapi/examples.ts'
import { keepValues } from '../../../scripts/examples/keep-values.ts'

/** Examples of one operation whose answer is `body`. */
function answering(body: unknown): Examples {
  return { getTask: { responses: { 200: { 'application/json': body } } } }
}

/** A URL of the service: its signature has 43 characters. */
function aSignedUrl(expires: string, signature: string): string {
  return `http://127.0.0.1:3000/api/artifacts/a?expires=${expires}&signature=${signature.padEnd(43, 'x')}`
}

test.each([
  ['a time', '2026-01-01T00:00:00.000Z', '2027-02-03T04:05:06.000Z'],
  ['a hash', `0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`],
  ['a signature', `0x${'a1'.repeat(65)}`, `0x${'b2'.repeat(65)}`],
  ['a UUID', '21b45048-e921-4556-a96e-1207007cc5a9', 'bc292692-5b85-4ee2-aee7-f7cad4c7b93b'],
  ['Unix seconds', 1_795_388_026, 1_895_388_026],
  ['a signed URL', aSignedUrl('1795388026', 'Ab-_1'), aSignedUrl('1895388026', 'Cd-_2')],
])('given an answer that differs in %s alone, then the earlier one stays', (_, before, after) => {
  const earlier = answering({ value: before, tags: ['naming'] })
  expect(keepValues(answering({ value: after, tags: ['naming'] }), earlier)).toEqual(earlier)
})

test.each<[string, unknown, unknown]>([
  ['another amount', { reward: '2000000' }, { reward: '3000000' }],
  ['another wallet', { worker: `0x${'a1'.repeat(20)}` }, { worker: `0x${'b2'.repeat(20)}` }],
  ['another word', { status: 'open' }, { status: 'completed' }],
  ['a field more', { status: 'open' }, { status: 'open', phase: 'active' }],
  ['a field less', { status: 'open', phase: 'active' }, { status: 'open' }],
  ['an item more', ['naming'], ['naming', 'writing']],
  ['null instead of a hash', { txHash: `0x${'a1'.repeat(32)}` }, { txHash: null }],
])('given an answer with %s, then the new one is taken', (_, before, after) => {
  expect(keepValues(answering(after), answering(before))).toEqual(answering(after))
})

test('given an operation that is new or gone, then the new recording decides', () => {
  const recorded = answering({ status: 'open' })
  expect(keepValues(recorded, { getClaim: { responses: {} } })).toEqual(recorded)
})
