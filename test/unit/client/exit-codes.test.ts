import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTool, wordsOf } from '../../support/client/silent-io.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-exits-'))
const deploymentFile = join(directory, 'deployment.json')
const address = (digits: string) => `0x${digits.repeat(20)}`
const taskId = `0x${'ab'.repeat(32)}`

/** What the service answers to the next requests; null: it closes the connection. */
let answer: { status: number; body: object; headers?: Record<string, string> } | null
let server: Server
let url: string

beforeAll(async () => {
  writeFileSync(
    deploymentFile,
    JSON.stringify({
      chainId: 8453,
      local: false,
      market: address('a1'),
      forwarder: address('b2'),
      usdc: address('c3'),
    }),
  )
  server = createServer((request, response) => {
    request.resume()
    if (answer === null) {
      response.destroy()
      return
    }
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(directory, { recursive: true })
})

const run = async (line: string) => {
  const home = mkdtempSync(join(directory, 'home-'))
  const env = {
    TASK_MARKET_URL: url,
    TASK_MARKET_HOME: home,
    TASK_MARKET_DEPLOYMENT: deploymentFile,
    TASK_MARKET_PRIVATE_KEY: `0x${'42'.repeat(32)}`,
  }
  return await runTool(wordsOf(line), { env })
}

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
    ['a task may not be seen', read, { status: 200, body: null as never }, 3],
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
    const ended = await run(line)
    expect(ended.exit, ended.err).toBe(exit)
    if (exit === 0) expect(ended.err).toBe('')
    else {
      expect(JSON.parse(ended.err)).toBeTypeOf('object')
      expect(ended.out).toBe('')
    }
  })
})
