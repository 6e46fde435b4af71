import { decodeErrorResult, type Hex } from 'viem'
import { errorsAbi } from '../../abis/errors.ts'
import type { Revert } from './chain.ts'
import { sentenceOf } from './revert-sentences.ts'

/** What a contract said when it reverted: an error of ours, a text (as USDC's), a panic. */
export function decodeRevert(data: Hex): Revert {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errorsAbi, data })
    // A text or a panic (viem knows both without an ABI) is its own message.
    const [first] = args ?? []
    if (errorName === ('Error' as string)) return { errorName: 'Error', message: String(first), data }
    const asWritten = `${errorName}(${(args ?? []).map(String).join(', ')})`
    return { errorName, message: sentenceOf(errorName, args ?? []) ?? asWritten, data }
  } catch {
    return {
      errorName: 'unknown',
      message: data === '0x' ? 'reverted without a reason' : `reverted with ${data}`,
      data,
    }
  }
}
