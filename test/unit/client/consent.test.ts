import { recoverMessageAddress } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { sign } from '../../../scripts/sign.mjs'
import type { runTool } from '../../support/client/silent-io.ts'
import { account, address, aToolService, deployment, key } from './tool-service.ts'

const wallet = account.address
let switches: Record<string, unknown>[] = []
beforeEach(() => {
  switches = []
})

const service = aToolService(({ method, body }) => {
  if (method === 'GET') return { body: { required: true } }
  const asked = JSON.parse(body)
  switches.push(asked)
  return { body: { walletAddress: asked.walletAddress, required: asked.required } }
})

/** The account that signed a switch for the deployment above. */
async function signerOf({ walletAddress, required, timestamp, signature }: Record<string, unknown>) {
  const to = required ? 'on' : 'off'
  const message = `service:consent:${to}:8453:${address('b2')}:${String(walletAddress).toLowerCase()}:${timestamp}`
  return await recoverMessageAddress({ message, signature: signature as `0x${string}` })
}

const consent = (to: string, given?: Parameters<typeof runTool>[1]) => service.run(`wallet consent ${to}`, given)

describe('task-market wallet consent', () => {
  test('given show, then it says what the service has, and signs nothing', async () => {
    const { exit, out } = await consent('show')
    expect([exit, JSON.parse(out)]).toEqual([0, { walletAddress: wallet, required: true }])
    expect(switches).toEqual([])
  })

  test.each(['on', 'off'])('given %s, then it sends the switch that this wallet signed', async (to) => {
    const { exit, out } = await consent(`${to} --yes`)
    expect([exit, JSON.parse(out)]).toEqual([0, { walletAddress: wallet, required: to === 'on' }])
    expect(switches).toHaveLength(1)
    expect(await signerOf(switches[0] ?? {})).toBe(wallet)
    expect(Math.abs(Number(switches[0]?.timestamp) - Date.now() / 1000)).toBeLessThan(60)
  })

  test('given off on a terminal, then a person is asked, and a no sends nothing', async () => {
    const asked: string[] = []
    const ask = (answer: string) => async (question: string) => {
      asked.push(question)
      return answer
    }
    expect(await consent('off', { isTerminal: true, ask: ask('n') })).toMatchObject({ exit: 5, out: '' })
    expect(switches).toEqual([])
    expect(await consent('off', { isTerminal: true, ask: ask('y') })).toMatchObject({ exit: 0 })
    expect(await consent('on', { isTerminal: true, ask: ask('n') })).toMatchObject({ exit: 0 })
    expect(asked).toEqual([expect.stringContaining('another shop'), expect.stringContaining('another shop')])
  })

  test.each(['wallet consent off', `wallet set-withdrawal-address ${address('77')}`])(
    'given `%s` without a terminal and without --yes, then it is refused, and nothing is sent',
    async (line) => {
      const { exit, err } = await service.run(line)
      expect([exit, JSON.parse(err)]).toEqual([5, expect.objectContaining({ reason: 'person_needed' })])
      expect(switches).toEqual([])
    },
  )

  test('given another word, then it is refused', async () => {
    expect(await consent('maybe')).toMatchObject({ exit: 2, out: '' })
  })
})

describe('sign.mjs consent', () => {
  const signSwitch = (words: string[], of: { url: string; key: string }) => {
    const accepts = [{ network: 'eip155:8453', payTo: deployment.forwarder, amount: '1000', maxTimeoutSeconds: 300 }]
    const readInput = async () => JSON.stringify({ x402Version: 2, resource: { url: of.url }, accepts })
    return sign(['consent', ...words], { environment: { KEY: of.key }, readInput })
  }

  test('given a challenge, then it prints the body of the switch', async () => {
    const { account, privateKey } = devAccount('requester')
    for (const to of ['on', 'off']) {
      const body = JSON.parse(await signSwitch([to], { url: 'http://127.0.0.1:3000/api/tasks', key: privateKey }))
      expect(body).toMatchObject({ walletAddress: account.address, required: to === 'on' })
      expect(await signerOf(body)).toBe(account.address)
    }
  })

  test('given a real key for a local stack, or no direction, then it signs nothing', async () => {
    const local = { url: 'http://127.0.0.1:3000/api/tasks', key }
    await expect(signSwitch(['off'], local)).rejects.toThrow('Nothing was signed')
    await expect(signSwitch([], { ...local, url: 'https://market.example' })).rejects.toThrow('Usage')
    expect(await signSwitch(['off'], { ...local, url: 'https://market.example' })).toContain('"required":false')
  })
})
