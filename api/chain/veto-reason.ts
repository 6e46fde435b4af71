import { decodeErrorResult, type Hex, hexToBigInt, hexToBytes, size, slice } from 'viem'
import { errorsAbi } from '../../abis/errors.ts'
import { showVetoData } from '../../protocol/hook-veto.ts'
import { toPrintable } from '../text/printable.ts'

/** The selector of `Error(string)`. Every Solidity contract can revert with such an error. */
const TEXT_SELECTOR = '0x08c379a0'
/** The selector of `Panic(uint256)`. */
const PANIC_SELECTOR = '0x4e487b71'
const SELECTOR_BYTES = 4
/** The bytes between the selector and the text: the text's offset and its length. */
const TEXT_HEAD_BYTES = 2 * 32
const MAX_CHARACTERS = 256

/**
 * Describes why a hook refused, as a printable clause with no full stop. `reason` is the hook's revert data, of which
 * the market copies at most 256 bytes. Example: `describeVetoReason('0x')` returns `'without a reason'`.
 */
export function describeVetoReason(reason: Hex): string {
  if (reason === '0x') return 'without a reason'
  if (size(reason) < SELECTOR_BYTES) return `with the data ${reason}`
  const selector = slice(reason, 0, SELECTOR_BYTES)
  if (selector === TEXT_SELECTOR) return textOf(reason) ?? showVetoData(reason)
  return knownErrorOf(reason) ?? showVetoData(reason)
}

/**
 * Returns the text of the revert. An ellipsis shows that the market copied only a part. Null if the data contain no
 * text.
 */
function textOf(reason: Hex): string | null {
  const bytes = hexToBytes(reason)
  const start = SELECTOR_BYTES + TEXT_HEAD_BYTES
  if (bytes.length < start || wordAt(reason, SELECTOR_BYTES) !== 32n) return null
  const length = wordAt(reason, SELECTOR_BYTES + 32)
  const tail = bytes.subarray(start)
  const isCut = length > BigInt(tail.length)
  const text = new TextDecoder().decode(isCut ? tail : tail.subarray(0, Number(length)))
  return `saying "${toPrintable(text, MAX_CHARACTERS)}${isCut ? '…' : ''}"`
}

/**
 * Describes revert data as a clause of a sentence, if the data are a panic or an error of this project's contracts.
 * Returns null for other data. Example: `'with a panic'`.
 */
function knownErrorOf(reason: Hex): string | null {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errorsAbi, data: reason })
    return `with ${toPrintable(`${errorName}(${args.map(String).join(', ')})`, MAX_CHARACTERS)}`
  } catch {
    return slice(reason, 0, SELECTOR_BYTES) === PANIC_SELECTOR ? 'with a panic' : null
  }
}

function wordAt(data: Hex, at: number): bigint {
  return hexToBigInt(slice(data, at, at + 32))
}
