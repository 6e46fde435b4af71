import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { describeFailure, toRequestError } from '../../../graphql/failure.ts'

function databaseError(code: string): Error {
  const error = new pg.DatabaseError('relation "idx_1.task" at /home/postgres', 10, 'error')
  return Object.assign(error, { code })
}

describe('failures', () => {
  test.each([
    ['57014', 'TIMEOUT'],
    ['55P03', 'TIMEOUT'],
    ['57P01', 'DATABASE_UNAVAILABLE'],
    ['57P03', 'DATABASE_UNAVAILABLE'],
    ['40001', 'DATABASE_UNAVAILABLE'],
    ['53300', 'DATABASE_UNAVAILABLE'],
    ['28P01', 'DATABASE_UNAVAILABLE'],
    ['3D000', 'DATABASE_UNAVAILABLE'],
    ['08006', 'DATABASE_UNAVAILABLE'],
    ['22P02', 'BAD_USER_INPUT'],
    ['22003', 'BAD_USER_INPUT'],
    ['42P01', 'INTERNAL_SERVER_ERROR'],
    ['42501', 'INTERNAL_SERVER_ERROR'],
    ['25006', 'INTERNAL_SERVER_ERROR'],
  ])('given the SQLSTATE %s, the client gets %s without a word of the message', (state, code) => {
    const failure = toRequestError(databaseError(state))
    expect(failure.code).toBe(code)
    expect(failure.message).not.toMatch(/idx_1|home/)
  })

  test.each([
    [new Error('Query read timeout'), 'TIMEOUT'],
    [Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' }), 'DATABASE_UNAVAILABLE'],
    [new Error('Connection terminated unexpectedly'), 'DATABASE_UNAVAILABLE'],
    [new Error('Connection terminated due to connection timeout'), 'DATABASE_UNAVAILABLE'],
    [new Error('timeout exceeded when trying to connect'), 'DATABASE_UNAVAILABLE'],
    [new TypeError('Cannot read properties of null'), 'INTERNAL_SERVER_ERROR'],
    ['a text', 'INTERNAL_SERVER_ERROR'],
    [undefined, 'INTERNAL_SERVER_ERROR'],
  ])('given the error %s, the client gets %s', (error, code) => {
    expect(toRequestError(error).code).toBe(code)
  })

  test('given an error with a message, the log gets its type, code and frames alone', () => {
    const described = describeFailure(databaseError('42P01'))
    expect(described).toMatchObject({ type: 'DatabaseError', code: '42P01' })
    expect(described.stack?.[0]).toMatch(/^at /)
    expect(JSON.stringify(described)).not.toMatch(/idx_1|postgres/)
  })
})
