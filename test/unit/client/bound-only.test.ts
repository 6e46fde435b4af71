import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, recoverMessageAddress } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { runTool } from '../../support/client/silent-io.ts'
import { account, address, aToolService, deployment } from './tool-service.ts'

const wallet = account.address
let switches: Record<string, unknown>[] = []
beforeEach(() => {
  switches = []
})

const service = aToolService(({ method, body }) => {
  if (method === 'GET') return { body: { boundOnly: false, counter: '3' } }
  const asked = JSON.parse(body)
  switches.push(asked)
  return { body: { boundOnly: asked.boundOnly, txHash: `0x${'12'.repeat(32)}` } }
})

/** Runs the command for a deployment that takes bound payments unless told. */
function boundOnly(
  words: string,
  { bound = true, ...given }: Parameters<typeof runTool>[1] & { bound?: boolean } = {},
) {
  const file = join(service.aHome(), 'deployment.json')
  writeFileSync(file, JSON.stringify({ ...deployment, bound }))
  return service.run(`wallet bound-only ${words}`, { ...given, env: { TASK_MARKET_DEPLOYMENT: file } })
}

describe('task-market wallet bound-only', () => {
  test('given show, then it says what the service has, and signs nothing', async () => {
    const { exit, out } = await boundOnly('show')
    expect([exit, JSON.parse(out)]).toEqual([0, { walletAddress: wallet, boundOnly: false }])
    expect(switches).toEqual([])
  })

  test.each(['on', 'off'])('given %s, then the wallet signs the switch of this deployment alone', async (to) => {
    const { exit, out, err } = await boundOnly(`${to} --yes`)
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
    const { exit, err } = await boundOnly('on')
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
    const { exit } = await boundOnly('on', { isTerminal: true, ask })
    expect(exit).toBe(0)
    expect(questions).toEqual([expect.stringMatching(/stock x402 clients cannot pay with it/)])
    expect(switches).toHaveLength(1)
  })

  test('given a deployment without bound payments, then nothing is signed', async () => {
    const { exit, err } = await boundOnly('on --yes', { bound: false })
    expect([exit === 0, JSON.parse(err)]).toEqual([false, expect.objectContaining({ reason: 'no_bound_calls' })])
    expect(switches).toEqual([])
  })
})
