import { type Hex, hexToBigInt, keccak256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import {
  dropFromMempool,
  jumpTime,
  listWaiting,
  mine,
  reorganize,
  setBaseFee,
  setMining,
  setRelayerBalance,
  signForeign,
  useNonce,
} from '../../faults/inject/chain.ts'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
beforeEach(() => setMining(anvil, true))
afterAll(() => anvil?.stop())

const { account } = devAccount('relayer1')
const receiptOf = (hash: Hex) =>
  anvil.request('eth_getTransactionReceipt', [hash]) as Promise<{ blockHash: Hex } | null>
const nonceNow = async () => Number(await anvil.request('eth_getTransactionCount', [account.address, 'latest']))
const send = async (raw: Hex) => (await anvil.request('eth_sendRawTransaction', [raw])) as Hex

describe('a reorg', () => {
  it.each([1, 2, 3])('given depth %i and no replacement, then the newest transactions are unknown', async (depth) => {
    const hashes = [await useNonce(anvil, account), await useNonce(anvil, account), await useNonce(anvil, account)]
    const before = await nonceNow()
    await reorganize(anvil, { depth, transactions: 'nothing' })
    const receipts = await Promise.all(hashes.map(receiptOf))
    expect(receipts.map((receipt) => receipt !== null)).toEqual(hashes.map((_, index) => index < 3 - depth))
    expect(await nonceNow()).toBe(before - depth)
  })

  it('given the same transactions as replacement, then they are in another block', async () => {
    const hashes = [await useNonce(anvil, account), await useNonce(anvil, account)]
    const before = await Promise.all(hashes.map(receiptOf))
    await reorganize(anvil, { depth: 2, transactions: 'same' })
    const after = await Promise.all(hashes.map(receiptOf))
    expect(after.map((receipt, index) => receipt?.blockHash !== before[index]?.blockHash)).toEqual([true, true])
    expect(after).not.toContain(null)
  })

  it('given a conflicting transaction as replacement, then it has the nonce', async () => {
    const nonce = await nonceNow()
    const lost = await useNonce(anvil, account)
    const conflicting = await signForeign(account, { nonce, maxFeePerGas: 2n * 10n ** 12n })
    await reorganize(anvil, { depth: 1, transactions: [conflicting] })
    expect(await receiptOf(lost)).toBeNull()
    expect(await receiptOf(keccak256(conflicting))).not.toBeNull()
    expect(await nonceNow()).toBe(nonce + 1)
  })
})

describe('the mempool', () => {
  it('given mining is off, then a transaction is pending, can be dropped, and is accepted again', async () => {
    await setMining(anvil, false)
    const raw = await signForeign(account, { nonce: await nonceNow() })
    const hash = await send(raw)
    expect(await listWaiting(anvil)).toEqual([hash])
    expect(await dropFromMempool(anvil, hash)).toBe(true)
    expect(await dropFromMempool(anvil, hash)).toBe(false)
    expect(await listWaiting(anvil)).toEqual([])
    await send(raw)
    await mine(anvil)
    expect(await receiptOf(hash)).not.toBeNull()
  })

  it('given a base fee above the signed fees, then a transaction is mined only after it falls and the transaction is sent again', async () => {
    await setMining(anvil, false)
    const raw = await signForeign(account, { nonce: await nonceNow(), maxFeePerGas: 10n ** 10n })
    const hash = await send(raw)
    await setBaseFee(anvil, 10n ** 11n)
    await mine(anvil)
    expect(await receiptOf(hash)).toBeNull()
    await setBaseFee(anvil, 10n ** 9n)
    await send(raw)
    await mine(anvil)
    expect(await receiptOf(hash)).not.toBeNull()
  })
})

describe('accounts and time', () => {
  it('given an account without ether, then the node accepts no transaction of it until it is funded', async () => {
    const before = await setRelayerBalance(anvil, account.address, 0n)
    await expect(useNonce(anvil, account)).rejects.toThrow(/insufficient funds/i)
    await setRelayerBalance(anvil, account.address, before)
    expect(await receiptOf(await useNonce(anvil, account))).not.toBeNull()
  })

  it('given a jump, then the time of the head is that much later', async () => {
    const timeNow = async () => {
      const { timestamp } = (await anvil.request('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
      return hexToBigInt(timestamp)
    }
    const before = await timeNow()
    await jumpTime(anvil, 600)
    expect(await timeNow()).toBe(before + 600n)
  })
})
