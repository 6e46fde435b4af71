import { describe, expect, test } from 'vitest'
import { nodeOfProvider } from '../../../client/src/chain/node.ts'
import { openChain } from '../../../client/src/chain/rpc.ts'
import { testDeployment } from './paid-service.ts'

const revertData = `0x08c379a0${'00'.repeat(32)}`
const account = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955'
const act = { from: account, to: account, data: '0x12345678', takesUsdc: false } as const

const chainOf = (request: () => Promise<unknown>) => openChain(nodeOfProvider({ request }), testDeployment)

describe('The node behind a wallet of a browser', () => {
  test.each([
    ['as its node says it', { code: 3, message: 'execution reverted', data: revertData }],
    ['with the error of its node inside', { code: -32603, message: 'Internal', data: { code: 3, data: revertData } }],
    [
      'with the error of its node two levels inside',
      {
        code: -32603,
        message: 'Internal',
        data: { originalError: { code: 3, message: 'execution reverted', data: revertData } },
      },
    ],
    ['in words alone', { code: -32000, message: 'VM: execution reverted', data: revertData }],
  ])('given a revert %s, then its data is read', async (_, error) => {
    const chain = chainOf(() => Promise.reject(Object.assign(new Error(), error)))
    expect(await chain.simulate(act)).toEqual({ ok: false, revertData })
  })

  test.each([
    ['a method that it does not know', () => Promise.reject({ code: 4200, message: 'Unsupported.' })],
    ['nothing', async () => null],
    ['a text as an error', () => Promise.reject('locked')],
  ])('given %s, then the read fails with a sentence', async (_, request) => {
    await expect(chainOf(request).simulate(act)).rejects.toThrow(/^The node refused eth_call: /)
  })

  test('given an answer, then it is that of the node', async () => {
    expect(await chainOf(async () => ({ timestamp: '0x10' })).now()).toBe(16)
  })

  test.each([
    ['local', true, 32],
    ['real', false, 16],
  ])('given a %s chain without a block for 16 s, then new signatures count from %s', async (_, isLocal, seconds) => {
    const request = async ({ params }: { params?: unknown }) => ({
      timestamp: (params as string[])[0] === 'pending' ? '0x20' : '0x10',
    })
    const chain = openChain(nodeOfProvider({ request }), { ...testDeployment, local: isLocal })
    expect(await chain.signingTime()).toBe(seconds)
    expect(await chain.now()).toBe(16)
  })
})
