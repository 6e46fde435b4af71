import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Check, checks, remedies } from '../../../client/src/cli/doctor-remedies.ts'
import { aToolService, deployment } from './tool-service.ts'

interface Facts {
  /** Skew of the service's clock, and of the node's, from this machine's, seconds. */
  skew: number
  chainId: number
  balance: string
  /** Of the wallet's own node. */
  nodeChainId: number
}
const right: Facts = { skew: 0, chainId: 8453, balance: '5000000', nodeChainId: 8453 }
let facts: Facts
const service = aToolService(({ path, body }) => {
  const { skew, chainId, balance, nodeChainId } = facts
  const time = Math.floor(Date.now() / 1000) + skew
  const answers: Record<string, object> = {
    '/api/health': { status: 'ok', environment: 'local', commitSha: 'abc' },
    '/api/network': { chainId, usdcAddress: deployment.usdc },
    '/api/wallet/balance': { balanceBaseUnits: balance },
  }
  if (path === '/node') {
    const isChainId = JSON.parse(body).method === 'eth_chainId'
    const result = isChainId ? `0x${nodeChainId.toString(16)}` : { timestamp: `0x${time.toString(16)}` }
    return { body: { jsonrpc: '2.0', id: 1, result } }
  }
  const found = answers[path.split('?')[0] ?? '']
  // The block is old; its age makes the time.
  const headers = { 'X-Service-Block-Timestamp': String(time - 400), 'X-Service-Head-Age': '400' }
  return { status: found === undefined ? 404 : 200, body: found ?? {}, headers }
})

/** What the doctor finds wrong. */
async function findWrong(changes: Partial<Facts>, env: Record<string, string | undefined> = {}) {
  facts = { ...right, ...changes }
  const { exit, out, err } = await service.run('doctor', { env })
  const findings = JSON.parse(out) as { check: Check; ok: boolean; found: string; remedy?: string }[]
  const wrong = findings.filter(({ ok }) => !ok).map(({ check }) => check)
  expect(exit === 0).toBe(wrong.length === 0)
  for (const { ok, remedy } of findings) expect(remedy === undefined).toBe(ok)
  // The closing sentence names the first of them with its remedy.
  const first = findings.find(({ ok }) => !ok)
  const closing = err === '' ? '' : JSON.parse(err.trim().split('\n').at(-1) ?? '').error
  expect(closing).toContain(first === undefined ? '' : `${first.check}: ${first.remedy}`)
  return { wrong, out }
}

describe('The doctor', () => {
  test('given that all is well, then it finds nothing, and names the version of the service', async () => {
    const { wrong, out } = await findWrong({})
    expect(wrong).toEqual([])
    expect(out).toContain('local abc')
  })

  test.each([
    ['a clock that is late', { skew: 90 }, 'clock'],
    ['a clock that is early', { skew: -90 }, 'clock'],
    ['another chain', { chainId: 1 }, 'deployment'],
    ['an empty wallet', { balance: '0' }, 'balance'],
  ])('given %s, then that is what it finds', async (_, changes, check) => {
    expect((await findWrong(changes)).wrong).toEqual([check])
  })

  test('given a node that is away, then it says so, without what is in its address', async () => {
    const { wrong, out } = await findWrong({}, { TASK_MARKET_RPC_URL: 'http://127.0.0.1:9/a-secret-key' })
    expect(wrong).toEqual(['node'])
    expect(out).not.toContain('a-secret-key')
    // The time of the service is all that there is: no note of the chain's.
    const late = await findWrong({ skew: 7200 }, { TASK_MARKET_RPC_URL: 'http://127.0.0.1:9/' })
    expect(late.wrong).toEqual(['node', 'clock'])
    expect(late.out).toContain("s from the service's")
  })

  test('given a node of another chain, then that is wrong', async () => {
    const env = { TASK_MARKET_RPC_URL: `${service.url}/node` }
    expect((await findWrong({}, env)).wrong).toEqual([])
    const { wrong, out } = await findWrong({ nodeChainId: 84532 }, env)
    expect(wrong).toEqual(['node'])
    expect(out).toContain('chain 84532, not 8453')
  })

  test('given a node, then a clock that is off is a note: all is signed by the time of the chain', async () => {
    const { wrong, out } = await findWrong({ skew: -90 }, { TASK_MARKET_RPC_URL: `${service.url}/node` })
    expect(wrong).toEqual([])
    expect(out).toMatch(/(90|91|89) s from the chain's/)
  })

  test('given a terminal, then each failed line has its remedy below it, uncut', async () => {
    facts = { ...right, balance: '0' }
    const env = { TASK_MARKET_PRIVATE_KEY: undefined }
    const { out } = await service.run('doctor', { env, isTerminal: true, width: 40 })
    expect(out.split('\n')).toContain(`        ${remedies.wallet}`)
    expect(out.match(/^FAILED/gm)).toHaveLength(1)
  })

  test('given each check, then its remedy is a sentence', () => {
    for (const check of checks) expect(remedies[check]).toMatch(/^[A-Z].*\.$/)
  })

  test('given no wallet, a broken configuration or a service that is away, then it says so', async () => {
    expect((await findWrong({}, { TASK_MARKET_PRIVATE_KEY: undefined })).wrong).toEqual(['wallet'])
    const home = join(service.directory, 'no-folder')
    writeFileSync(home, '')
    expect((await findWrong({}, { TASK_MARKET_HOME: home })).wrong).toEqual(['limits'])
    expect((await findWrong({}, { TASK_MARKET_URL: 'http://127.0.0.1:9' })).wrong).toContain('service')
  })
})
