import { type Abi, decodeErrorResult, type Hex, size, slice, toFunctionSelector } from 'viem'

/** Maximum length of the text that describes a hook's error, in characters. */
const MOST_TEXT = 256

/**
 * Formats the revert data of a hook for an error message. Used for errors that no ABI of our contracts declares.
 * Example: `with 0x1f2965e8, data 0x1f2965e8000000…`.
 */
export function showVetoData(data: Hex): string {
  const selector = slice(data, 0, 4)
  return size(data) === 4 ? `with ${selector}` : `with ${selector}, data ${data}`
}

/**
 * Matches the revert data of a hook in two forms of text: `with ..., data ... (HookVetoed)`, as the service writes it,
 * and `HookVetoed(0x.., 0x.., 0x..)`, as tools print the market's error.
 */
const vetoes =
  /(?<before>\bwith )(?<selector>0x[0-9a-f]{8})(?:, data (?<data>0x[0-9a-f]+))?(?= \(HookVetoed\))|(?<start>\bHookVetoed\(0x[0-9a-fA-F]{40}, 0x[0-9a-f]{8}, )(?<reason>0x[0-9a-f]{8,})/g

/**
 * Replaces the revert data of hooks in a text by the names and arguments of the errors. If `errors` does not declare an
 * error, the error's data stays unchanged. Example: `with 0x1f2965e8, data 0x1f29… (HookVetoed)` becomes `with
 * SubmittedBefore(0xA1A1…) (HookVetoed)`.
 */
export function explainVetoes(text: string, errors: Abi): string {
  return text.replace(vetoes, (matchText, ...rest) => {
    const { before, selector, data, start, reason } = rest.at(-1)
    const error = describeError(reason ?? data ?? selector, errors)
    return error === null ? matchText : `${before ?? start}${error}`
  })
}

/**
 * Returns the name and the arguments of an error, in printable ASCII without quotes and backslashes. Returns null if
 * the ABI does not declare the error. If the data was truncated, the result is the name and the remaining data.
 * Examples: `SubmittedBefore(0xA1A1…)`, `TooDear({price: 5, of: 0xA1A1…})`, `Said(cut: 0x60066bd7…)`.
 */
export function describeError(data: Hex, errors: Abi): string | null {
  // The author of the hook chooses the arguments, and the result becomes part of JSON. The market passes on at most 256
  // bytes of revert data.
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errors, data })
    const text = `${errorName}(${args.map(toText).join(', ')})`
    return text.slice(0, MOST_TEXT).replace(/[^\x20-\x7e]|["\\]/g, '?')
  } catch {
    const name = findErrorName(data, errors)
    return name === null ? null : `${name}(cut: ${data})`
  }
}

/** Formats a decoded value. Arrays and structs look like JavaScript literals, but strings have no quotes. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}: ${toText(member)}`)
    .join(', ')}}`
}

function findErrorName(data: Hex, errors: Abi): string | null {
  try {
    const selector = slice(data, 0, 4)
    for (const item of errors) {
      if (item.type !== 'error') continue
      const asFunction = { ...item, type: 'function', outputs: [], stateMutability: 'view' } as const
      if (toFunctionSelector(asFunction) === selector) return item.name
    }
    return null
  } catch {
    return null
  }
}

/**
 * Parses the errors of an ABI file. The file contains an ABI, or a compiler's output with the field `abi`.
 * Example: `parseErrors('{"abi":[{"type":"error","name":"NoTags","inputs":[]}]}')` has one error.
 * @throws Error if the file declares no error
 */
export function parseErrors(text: string): Abi {
  const content: unknown = JSON.parse(text)
  const isArtifact = typeof content === 'object' && content !== null && 'abi' in content
  const items: unknown = isArtifact ? content.abi : content
  const errors = Array.isArray(items) ? items.filter((item) => item?.type === 'error') : []
  if (errors.length === 0) throw new Error('it is no ABI with errors')
  return errors
}
