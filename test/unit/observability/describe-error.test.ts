import { HttpRequestError } from 'viem'
import { expect, it } from 'vitest'
import { createRedact } from '../../../api/observability/redact.ts'
import { describeError } from '../../../api/observability/serialize-error.ts'

const scrub = createRedact([])

it('tells type, message, code and frames, and the causes below', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const description = describeError(new Error('no answer', { cause }), scrub)
  expect(description).toMatchObject({ type: 'Error', message: 'no answer', cause: { code: 'ECONNREFUSED' } })
  expect(description.stack?.[0]).toMatch(/^at .*describe-error\.test\.ts/)
  expect(description.cause).not.toHaveProperty('stack')
})

it('tells a list of problems whole, and no endless message', () => {
  const problems = Array.from({ length: 20 }, (_, index) => `bundle.json: documents: policy ${index}: is missing`)
  const told = describeError(new Error(problems.join('\n')), scrub)
  expect(told.message).toContain('policy 19: is missing')
  expect(describeError(new Error('x'.repeat(100_000)), scrub).message?.length).toBeLessThan(5_000)
})

it('tells nothing of what a library attached to its error', () => {
  const error = Object.assign(new Error('x'), { parameters: ['secret'], request: { body: 'secret' }, input: 'secret' })
  expect(JSON.stringify(describeError(error, scrub))).not.toContain('secret')
})

it('tells a request to a node without its URL and body', () => {
  const error = new HttpRequestError({ url: 'https://h/secret', body: { raw: 'secret' }, status: 429, details: 'busy' })
  const description = describeError(error, scrub)
  expect(description).toMatchObject({ type: 'HttpRequestError', message: 'HTTP request failed. busy' })
  expect(JSON.stringify(description)).not.toContain('secret')
})

it('tells no text that did not parse, and no argument that Node quotes', () => {
  const thrown: unknown[] = [
    () => JSON.parse('{"password": secret'),
    () => BigInt('secret'),
    () => Buffer.alloc('secret' as never),
  ].map((fail) => {
    try {
      return fail()
    } catch (error) {
      return error
    }
  })
  for (const error of thrown) {
    expect(error).toBeInstanceOf(Error)
    expect(JSON.stringify(describeError(error, scrub))).not.toContain('secret')
  }
})

it('ends a circle of causes', () => {
  const error = new Error('round')
  error.cause = error
  expect(JSON.stringify(describeError(error, scrub)).match(/round/g)).toHaveLength(5)
})

it('tells no more of what is no error than its type', () => {
  expect(describeError('secret', scrub)).toEqual({ type: 'string' })
})
