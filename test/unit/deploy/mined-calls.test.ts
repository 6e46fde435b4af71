import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Hex, numberToHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { connect, sendAll } from '../../../scripts/contracts/chain.ts'

const hash: Hex = `0x${'ab'.repeat(32)}`
const address: Hex = `0x${'cd'.repeat(20)}`
const call = { what: 'the call', to: address, data: '0x' } as const
const MINED_IN = 8

const server = createServer(async (request, response) => {
  const { id, method } = JSON.parse(await text(request)) as { id: number; method: string }
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: await answer(method) }))
})
afterEach(() => void server.close())

/** How often it was asked for the receipt, and for the height since the block. */
const asked = { receipts: 0, heights: 0 }

/**
 * A node that mines the transaction after it was asked twice for the receipt, and no block after that one. A look at the block
 * before takes until its height was told twice.
 */
async function answer(method: string): Promise<unknown> {
  const isMined = asked.receipts >= 2
  switch (method) {
    case 'eth_chainId':
      return '0x2105'
    case 'eth_getCode':
      return '0x00'
    case 'eth_getTransactionCount':
      return '0x0'
    case 'eth_sendRawTransaction':
      return hash
    case 'eth_blockNumber':
      if (isMined) asked.heights += 1
      return numberToHex(isMined ? MINED_IN : MINED_IN - 1)
    case 'eth_getTransactionByHash':
      return { hash, blockNumber: null, from: address, nonce: '0x0', type: '0x2', value: '0x0' }
    case 'eth_getTransactionReceipt':
      asked.receipts += 1
      return isMined ? { status: '0x1', blockNumber: numberToHex(MINED_IN), gasUsed: '0x5208', logs: [] } : null
    case 'eth_getBlockByNumber':
      if (isMined) await expect.poll(() => asked.heights).toBeGreaterThan(1)
      return { number: numberToHex(MINED_IN - 1), baseFeePerGas: '0x1', transactions: [] }
    default:
      return '0x5208'
  }
}

test('given a block that comes while the one before is looked at, and none after it, then its transaction is seen', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = await connect(`http://127.0.0.1:${port}`, devAccount('owner').privateKey)
  const sent = await sendAll(client, [call], { timeout: 20_000 })
  expect(sent).toEqual([{ call, hash, gasUsed: 21_000n }])
})
