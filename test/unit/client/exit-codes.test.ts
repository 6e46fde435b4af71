import { describe, expect, test } from 'vitest'
import { type Answer, aToolService } from './tool-service.ts'

const taskId = `0x${'ab'.repeat(32)}`

/** What the service answers to the next requests; null: it closes the connection. */
let answer: Answer | null
const service = aToolService(() => answer)

/** A refusal as the service makes it. */
const refusal = (
  status: number,
  reason: string,
  more: { service?: object; headers?: Record<string, string> } = {},
) => ({
  status,
  body: { error: 'No.', code: 'NO', service: { reason, ...more.service } },
  headers: more.headers ?? {},
})

const write = `task finalize-verdict ${taskId} --wait 0`
const paidWrite = `task cancel ${taskId} --wait 0`
const read = `task get ${taskId}`

describe('The exit code', () => {
  test.each([
    ['a write is done', write, { status: 200, body: { success: true, txHash: null } }, 0],
    ['a write is malformed', write, refusal(400, 'unclassified'), 2],
    ['a read is malformed', read, refusal(400, 'unclassified'), 2],
    ['a command is unknown', 'task dance', null, 2],
    ['a task is unknown', write, refusal(404, 'unclassified'), 3],
    ['a task may not be seen', read, { status: 200, body: null }, 3],
    ['an account may not do it', write, refusal(403, 'unclassified'), 4],
    ['a signature is wrong', write, refusal(401, 'unclassified'), 4],
    ['a legal acceptance is missing', write, refusal(403, 'unclassified'), 4],
    ['the state of the task refuses it', write, refusal(409, 'payment_preflight_rejected'), 5],
    ['a payment is asked for that cannot be made', paidWrite, refusal(402, 'payment_required'), 5],
    ['a write is on its way', write, refusal(409, 'intent_in_flight', { service: { intentStatus: 'broadcast' } }), 6],
    ['the service is out of order', write, refusal(500, 'unclassified'), 7],
    ['the connection breaks in a write', write, null, 7],
    ['the connection breaks in a read', read, null, 7],
    ['there are too many writes', write, refusal(429, 'unclassified', { headers: { 'Retry-After': '60' } }), 8],
    ['there are too many reads', read, refusal(429, 'unclassified', { headers: { 'Retry-After': '60' } }), 8],
  ])('given that %s, then it says so, and standard error has JSON', async (_, line, answered, exit) => {
    answer = answered
    const ended = await service.run(line)
    expect(ended.exit, ended.err).toBe(exit)
    if (exit === 0) expect(ended.err).toBe('')
    else {
      expect(JSON.parse(ended.err)).toBeTypeOf('object')
      expect(ended.out).toBe('')
    }
  })
})
