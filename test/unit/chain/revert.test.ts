import { BaseError, encodeErrorResult, type Hex, parseAbi, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { decodeRevert, findRevert } from '../../../api/chain/revert.ts'

const text = encodeErrorResult({
  abi: parseAbi(['error Error(string)']),
  errorName: 'Error',
  args: ['FiatTokenV2: authorization is expired'],
})
const unlikely = encodeErrorResult({ abi: paymentForwarderAbi, errorName: 'NotRelayer', args: [zeroAddress] })
const custom = encodeErrorResult({ abi: taskMarketAbi, errorName: 'DeadlinePassed', args: [7n] })

/** An error as viem throws it: ours is somewhere among its causes. */
function rpcError(code: number, message: string, data?: unknown): BaseError {
  return new BaseError('call failed', { cause: Object.assign(new Error(message), { code, data }) })
}

describe('decodeRevert', () => {
  it.each<[string, Hex, string, string]>([
    [
      'an error of ours',
      custom,
      'DeadlinePassed',
      'it is too late: this could be done before 1970-01-01T00:00:07Z (DeadlinePassed)',
    ],
    ['one that no caller can bring about', unlikely, 'NotRelayer', `NotRelayer(${zeroAddress})`],
    ['a text, as USDC reverts with', text, 'Error', 'FiatTokenV2: authorization is expired'],
    ['nothing', '0x', 'unknown', 'reverted without a reason'],
    ['an error nobody knows', '0xdeadbeef', 'unknown', 'reverted with 0xdeadbeef'],
  ])('given %s, then it is named', (_name, data, errorName, message) => {
    expect(decodeRevert(data)).toEqual({ errorName, message, data })
  })
})

describe('findRevert', () => {
  it.each<[string, BaseError]>([
    ['code 3 with data', rpcError(3, 'execution reverted', custom)],
    ['code -32000 with data', rpcError(-32000, 'execution reverted', custom)],
    ['data inside an object', rpcError(-32603, 'VM reverted', { data: custom })],
  ])('given %s, then it is a revert', (_name, error) => {
    expect(findRevert(error)?.errorName).toBe('DeadlinePassed')
  })

  it.each<[string, unknown]>([
    ['a limit', rpcError(-32005, 'too many requests')],
    ['no funds for gas', rpcError(-32000, 'insufficient funds for gas * price + value')],
    ['a lost connection', rpcError(0, 'socket hang up')],
    ['an error of another kind', new Error('execution reverted')],
  ])('given %s, then nothing is known', (_name, error) => {
    expect(findRevert(error)).toBeNull()
  })
})
