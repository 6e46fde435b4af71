import { type Hex, numberToHex } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { startAnvil } from '../../../scripts/chain/anvil.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { startRpcProxy } from '../../faults/inject/rpc-proxy.ts'
import { staleHead } from '../../faults/inject/stale-head.ts'

it('given a node that lags by two blocks, then heads, states, receipts and logs are those of that block', async () => {
  const anvil = await startAnvil()
  onTestFinished(anvil.stop)
  const proxy = await startRpcProxy({ upstream: anvil.url })
  onTestFinished(proxy.close)
  const [from, to] = [devAccount('relayer1').account.address, devAccount('bob').account.address]
  const ask = async (method: string, params: unknown[] = []): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
    const { result } = (await (await fetch(proxy.url, { method: 'POST', body })).json()) as { result: unknown }
    return result
  }
  const transfer = async () => {
    const receipt = await anvil.request('eth_sendTransactionSync', [{ from, to, value: '0x1' }])
    return (receipt as { transactionHash: Hex }).transactionHash
  }

  const known = await transfer()
  await transfer()
  const unseen = await transfer()
  const head = BigInt((await anvil.request('eth_blockNumber')) as Hex)
  proxy.inject(staleHead({ blocksBehind: 2n }))
  expect(await ask('eth_blockNumber')).toBe(numberToHex(head - 2n))
  expect(await ask('eth_getBlockByNumber', ['latest', false])).toMatchObject({ number: numberToHex(head - 2n) })
  expect(await ask('eth_getBlockByNumber', [numberToHex(head), false])).toBeNull()
  expect(await ask('eth_getTransactionCount', [from, 'latest'])).toBe('0x1')
  expect(await ask('eth_getTransactionReceipt', [unseen])).toBeNull()
  expect(await ask('eth_getTransactionReceipt', [known])).toMatchObject({ blockNumber: numberToHex(head - 2n) })
  const balance = await ask('eth_getBalance', [from, 'latest'])
  expect(balance).toBe(await anvil.request('eth_getBalance', [from, numberToHex(head - 2n)]))
  expect(balance).not.toBe(await anvil.request('eth_getBalance', [from, 'latest']))
  proxy.clear()
  expect(await ask('eth_getTransactionReceipt', [unseen])).toMatchObject({ blockNumber: numberToHex(head) })
})
