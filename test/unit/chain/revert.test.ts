import { encodeErrorResult, type Hex, parseAbi, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { decodeRevert } from '../../../api/chain/revert.ts'

const text = encodeErrorResult({
  abi: parseAbi(['error Error(string)']),
  errorName: 'Error',
  args: ['FiatTokenV2: authorization is expired'],
})
const unlikely = encodeErrorResult({ abi: paymentForwarderAbi, errorName: 'NotRelayer', args: [zeroAddress] })
const custom = encodeErrorResult({ abi: taskMarketAbi, errorName: 'DeadlinePassed', args: [7n] })

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
    ['an unknown error', '0xdeadbeef', 'unknown', 'reverted with 0xdeadbeef'],
  ])('given %s, then it is named', (_name, data, errorName, message) => {
    expect(decodeRevert(data)).toEqual({ errorName, message, data })
  })
})
