import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runTool } from '../../support/client/silent-io.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-bound-only-'))
const address = (digits: string) => `0x${digits.repeat(20)}`
const deployment = { chainId: 8453, local: false, market: address('a1'), forwarder: address('B2'), usdc: address('c3') }
const key = `0x${'42'.repeat(32)}` as const
const wallet = privateKeyToAccount(key).address
let switches: Record<string, unknown>[] = []
let server: Server
let url: string

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.setHeader('Content-Type', 'application/json')
    if (request.method === 'GET') return void response.end(JSON.stringify({ boundOnly: false, counter: '3' }))
    const body = JSON.parse(Buffer.concat(chunks).toString())
    switches.push(body)
    response.end(JSON.stringify({ boundOnly: body.boundOnly, txHash: `0x${'12'.repeat(32)}` }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

beforeEach(() => {
  switches = []
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(directory, { recursive: true })
})

/** Runs the command with a home of its own, for a deployment that takes bound payments unless told. */
function boundOnly(
  words: readonly string[],
  { bound = true, ...given }: Parameters<typeof runTool>[1] & { bound?: boolean } = {},
) {
  const home = mkdtempSync(join(directory, 'home-'))
  const file = join(home, 'deployment.json')
  writeFileSync(file, JSON.stringify({ ...deployment, bound }))
  const env = {
    TASK_MARKET_URL: url,
    TASK_MARKET_HOME: home,
    TASK_MARKET_DEPLOYMENT: file,
    TASK_MARKET_PRIVATE_KEY: key,
  }
  return runTool(['wallet', 'bound-only', ...words], { env, ...given })
}

describe('task-market wallet bound-only', () => {
  test('given show, then it says what the service has, and signs nothing', async () => {
    const { exit, out } = await boundOnly(['show'])
    expect([exit, JSON.parse(out)]).toEqual([0, { walletAddress: wallet, boundOnly: false }])
    expect(switches).toEqual([])
  })

  test.each(['on', 'off'])('given %s, then the wallet signs the switch of this deployment alone', async (to) => {
    const { exit, out, err } = await boundOnly([to, '--yes'])
    expect([exit, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ kind: 'completed' })
    const [{ signature, ...sent } = {}] = switches
    expect(sent).toEqual({
      walletAddress: wallet,
      boundOnly: to === 'on',
      counter: '3',
      validBefore: expect.any(Number),
    })
    const place = `8453:${address('b2')}:${wallet.toLowerCase()}`
    const message = `service:bound-only:${to}:${place}:3:${sent.validBefore}`
    expect(await recoverMessageAddress({ message, signature: signature as Hex })).toBe(wallet)
  })

  test('given no terminal and no --yes, then nothing is signed, and what it ends is said', async () => {
    const { exit, err } = await boundOnly(['on'])
    expect(exit).not.toBe(0)
    expect(err).toMatch(/stock x402 clients cannot pay with it/)
    expect(switches).toEqual([])
  })

  test('given a terminal, then a person is asked once, with what it ends', async () => {
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return 'y'
    }
    const { exit } = await boundOnly(['on'], { isTerminal: true, ask })
    expect(exit).toBe(0)
    expect(questions).toEqual([expect.stringMatching(/stock x402 clients cannot pay with it/)])
    expect(switches).toHaveLength(1)
  })

  test('given a deployment without bound payments, then nothing is signed', async () => {
    const { exit, err } = await boundOnly(['on', '--yes'], { bound: false })
    expect([exit === 0, JSON.parse(err)]).toEqual([false, expect.objectContaining({ reason: 'no_bound_calls' })])
    expect(switches).toEqual([])
  })
})
