import { BaseError, decodeErrorResult, type Hex, isHex } from 'viem'
import { errorsAbi } from '../../abis/errors.ts'
import type { Revert } from './chain.ts'
import { sentenceOf } from './revert-sentences.ts'

/** JSON-RPC code of "execution reverted". Some nodes answer -32000 or -32603 with the revert's data instead. */
const REVERTED = 3

/** The revert an RPC error tells of; null when it tells of something else (a lost connection, a limit, no funds). */
export function findRevert(error: unknown): Revert | null {
  if (!(error instanceof BaseError)) return null
  let revert: Revert | null = null
  error.walk((cause) => {
    const data = revertDataOf(cause)
    if (data !== undefined) revert = decodeRevert(data)
    return revert !== null
  })
  return revert
}

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

function revertDataOf(cause: unknown): Hex | undefined {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return undefined
  const data = 'data' in cause ? hexIn(cause.data) : undefined
  if (cause.code === REVERTED) return data ?? '0x'
  const saysReverted = 'message' in cause && /revert/i.test(String(cause.message))
  return saysReverted ? data : undefined
}

/** Some nodes wrap the data in an object. */
function hexIn(data: unknown): Hex | undefined {
  if (isHex(data)) return data
  if (typeof data === 'object' && data !== null && 'data' in data && isHex(data.data)) return data.data
  return undefined
}
