import { type Hex, keccak256, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { type RpcProxy, startRpcProxy } from '../../faults/inject/rpc-proxy.ts'
import { staleHead } from '../../faults/inject/stale-head.ts'

let anvil: Anvil
let proxy: RpcProxy
let nonce = 0
const { account } = devAccount('relayer1')

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startRpcProxy({ upstream: anvil.url })
})
afterEach(() => proxy.clear())
afterAll(async () => {
  await proxy?.close()
  await anvil?.stop()
})

async function ask(method: string, params: unknown[] = []): Promise<unknown> {
  const { result } = (await post({ jsonrpc: '2.0', id: 7, method, params })) as { result: unknown }
  return result
}

async function post(body: unknown, signal: AbortSignal | null = null): Promise<unknown> {
  const response = await fetch(proxy.url, { method: 'POST', body: JSON.stringify(body), signal })
  return response.ok ? await response.json() : response.status
}

/** Signed transfers of one wei, each with the next nonce of its sender. */
async function aTransfer(): Promise<Hex> {
  const [maxFeePerGas, maxPriorityFeePerGas] = [10n ** 10n, 1n]
  const to = devAccount('bob').account.address
  nonce += 1
  return await account.signTransaction({
    type: 'eip1559',
    chainId: 8453,
    nonce: nonce - 1,
    to,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
}

async function aMinedTransfer(): Promise<Hex> {
  const receipt = await anvil.request('eth_sendRawTransactionSync', [await aTransfer()])
  return (receipt as { transactionHash: Hex }).transactionHash
}

describe('without a fault', () => {
  it.each([
    ['eth_call', [{ to: `0x${'be'.repeat(20)}` }, 'latest']],
    ['eth_estimateGas', [{ to: `0x${'be'.repeat(20)}`, data: '0x01' }]],
    ['eth_nothing', []],
    ['eth_getTransactionReceipt', [`0x${'12'.repeat(32)}`]],
  ])('given %s, then the node’s answer passes unchanged, errors with their data too', async (method, params) => {
    await anvil.request('anvil_setCode', [`0x${'be'.repeat(20)}`, '0x60006000fd'])
    const call = { jsonrpc: '2.0', id: 7, method, params }
    const direct = await fetch(anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    expect(await post(call)).toEqual(await direct.json())
  })
})

describe('faults of the connection', () => {
  it('given a dropped request, then the node never receives it; the rule applies once', async () => {
    const raw = await aTransfer()
    proxy.inject({ methods: ['eth_sendRawTransaction'], times: 1, fault: { kind: 'drop-request' } })
    await expect(ask('eth_sendRawTransaction', [raw])).rejects.toThrow('fetch failed')
    expect(await anvil.request('eth_getTransactionByHash', [keccak256(raw)])).toBeNull()
    expect(await ask('eth_sendRawTransaction', [raw])).toBe(keccak256(raw))
  })

  it.each([429, 503])(
    'given status %i, then the method is answered with it, and other methods are not',
    async (status) => {
      proxy.inject({ methods: ['eth_blockNumber'], fault: { kind: 'status', status, retryAfterSeconds: 1 } })
      expect(await post({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })).toBe(status)
      expect(await ask('eth_chainId')).toBe('0x2105')
    },
  )

  it('given a hang, then there is no answer until the fault is cleared', async () => {
    const { firstHit } = proxy.inject({ fault: { kind: 'hang', reachesNode: false } })
    let isOver = false
    const asked = expect(ask('eth_blockNumber'))
      .rejects.toThrow('fetch failed')
      .finally(() => {
        isOver = true
      })
    await firstHit
    expect(isOver).toBe(false)
    proxy.clear()
    await asked
    expect(await ask('eth_chainId')).toBe('0x2105')
  })

  it('given a delay, then the answer comes that much later', async () => {
    proxy.inject({ methods: ['eth_chainId'], times: 1, fault: { kind: 'delay', milliseconds: 80 } })
    const before = performance.now()
    expect(await ask('eth_chainId')).toBe('0x2105')
    expect(performance.now() - before).toBeGreaterThanOrEqual(79)
  })

  it('given a refused connection, then the node is there again at the same URL', async () => {
    await proxy.refuse()
    await expect(ask('eth_chainId')).rejects.toThrow('fetch failed')
    await proxy.accept()
    expect(await ask('eth_chainId')).toBe('0x2105')
  })

  it('given another node in its place, then that one answers, errors too', async () => {
    const other = await startRpcProxy({ upstream: anvil.url })
    other.inject({ methods: ['eth_chainId'], fault: { kind: 'lie', answer: async () => ({ result: '0x1' }) } })
    proxy.inject({ fault: { kind: 'reroute', upstream: other.url } })
    expect(await ask('eth_chainId')).toBe('0x1')
    expect(await post({ id: 7, method: 'eth_nothing', params: [] })).toMatchObject({ error: { code: -32_601 } })
    await other.close()
  })

  it('given a batch with one dropped call, then the whole batch is dropped', async () => {
    proxy.inject({ methods: ['eth_gasPrice'], times: 1, fault: { kind: 'drop-request' } })
    const batch = ['eth_chainId', 'eth_gasPrice'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: [] }))
    await expect(post(batch)).rejects.toThrow('fetch failed')
    expect(await post(batch)).toMatchObject([{ id: 0, result: '0x2105' }, { id: 1 }])
  })
})

describe('a node that lags', () => {
  it('given two blocks behind, then heads, states, receipts and logs are those of that block', async () => {
    const known = await aMinedTransfer()
    await aMinedTransfer()
    const unseen = await aMinedTransfer()
    const head = BigInt((await anvil.request('eth_blockNumber')) as Hex)
    proxy.inject(staleHead({ blocksBehind: 2n }))
    expect(await ask('eth_blockNumber')).toBe(numberToHex(head - 2n))
    expect(await ask('eth_getBlockByNumber', ['latest', false])).toMatchObject({ number: numberToHex(head - 2n) })
    expect(await ask('eth_getBlockByNumber', [numberToHex(head), false])).toBeNull()
    expect(await ask('eth_getTransactionCount', [account.address, 'latest'])).toBe(numberToHex(nonce - 2))
    expect(await ask('eth_getTransactionReceipt', [unseen])).toBeNull()
    expect(await ask('eth_getTransactionReceipt', [known])).toMatchObject({ blockNumber: numberToHex(head - 2n) })
    const balance = await ask('eth_getBalance', [account.address, 'latest'])
    expect(balance).toBe(await anvil.request('eth_getBalance', [account.address, numberToHex(head - 2n)]))
    expect(balance).not.toBe(await anvil.request('eth_getBalance', [account.address, 'latest']))
    proxy.clear()
    expect(await ask('eth_getTransactionReceipt', [unseen])).toMatchObject({ blockNumber: numberToHex(head) })
  })
})
