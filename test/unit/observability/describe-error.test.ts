import { HttpRequestError } from 'viem'
import { expect, it } from 'vitest'
import { serializeError } from '../../../api/observability/serialize-error.ts'
import { createRedact } from '../../../api/text/redact.ts'

const redact = createRedact([])

it('given an error, then it has type, message, code and frames, and those of its causes', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const description = serializeError(new Error('no answer', { cause }), redact)
  expect(description).toMatchObject({ type: 'Error', message: 'no answer', cause: { code: 'ECONNREFUSED' } })
  expect(description.stack?.[0]).toMatch(/^at .*describe-error\.test\.ts/)
  expect(description.cause).not.toHaveProperty('stack')
})

it('given a list of problems, then it has them all, and no unbounded message', () => {
  const problems = Array.from({ length: 20 }, (_, index) => `bundle.json: documents: policy ${index}: is missing`)
  const told = serializeError(new Error(problems.join('\n')), redact)
  expect(told.message).toContain('policy 19: is missing')
  expect(serializeError(new Error('x'.repeat(100_000)), redact).message?.length).toBeLessThan(5_000)
})

it('given fields that a library attached to its error, then it has none of them', () => {
  const error = Object.assign(new Error('x'), { parameters: ['secret'], request: { body: 'secret' }, input: 'secret' })
  expect(JSON.stringify(serializeError(error, redact))).not.toContain('secret')
})

it('given a request to a node, then it has neither URL nor body', () => {
  const error = new HttpRequestError({ url: 'https://h/secret', body: { raw: 'secret' }, status: 429, details: 'busy' })
  const description = serializeError(error, redact)
  expect(description).toMatchObject({ type: 'HttpRequestError', message: 'HTTP request failed. busy' })
  expect(JSON.stringify(description)).not.toContain('secret')
})

it('given text that did not parse, or an argument that Node quotes, then it has none of them', () => {
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
    expect(JSON.stringify(serializeError(error, redact))).not.toContain('secret')
  }
})

it('given a cycle of causes, then it ends', () => {
  const error = new Error('round')
  error.cause = error
  expect(JSON.stringify(serializeError(error, redact)).match(/round/g)).toHaveLength(5)
})

it('given a value that is no error, then it has its type only', () => {
  expect(serializeError('secret', redact)).toEqual({ type: 'string' })
})
