import { decodeErrorResult, type Hex } from 'viem'
import { errorsAbi } from '../../abis/errors.ts'
import { toPrintable } from '../text/printable.ts'
import type { Revert } from './chain.ts'
import { sentenceOf } from './revert-sentences.ts'

/** The longest message about a revert, in characters. The revert data of a foreign contract can be very long. */
const MAX_MESSAGE = 1000

/**
 * Decodes revert data: an error of this project's contracts, a text, or a panic. The message contains only printable
 * characters.
 */
export function decodeRevert(data: Hex): Revert {
  const { errorName, message } = readRevert(data)
  return { errorName, message: toPrintable(message, MAX_MESSAGE), data }
}

function readRevert(data: Hex): Pick<Revert, 'errorName' | 'message'> {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errorsAbi, data })
    // viem decodes a text or a panic without an ABI; it is its own message.
    const [first] = args ?? []
    if (errorName === ('Error' as string)) return { errorName: 'Error', message: String(first) }
    const errorText = `${errorName}(${(args ?? []).map(String).join(', ')})`
    return { errorName, message: sentenceOf(errorName, args ?? []) ?? errorText }
  } catch {
    return { errorName: 'unknown', message: data === '0x' ? 'reverted without a reason' : `reverted with ${data}` }
  }
}
