import { type Abi, decodeErrorResult, type Hex, size, slice, toFunctionSelector } from 'viem'

/** Longest text of a hook's error, characters. */
const MOST_TEXT = 256

/**
 * Shows revert data of a hook that the contracts' own errors do not explain, as answers have it.
 * Example: `with 0x1f2965e8, data 0x1f2965e8000000…`.
 */
export function showVetoData(data: Hex): string {
  const selector = slice(data, 0, 4)
  return size(data) === 4 ? `with ${selector}` : `with ${selector}, data ${data}`
}

/** Revert data in a sentence of the service ("with ..., data ... (HookVetoed)"), or in the market's error as tools print it. */
const vetoes =
  /(?<before>\bwith )(?<selector>0x[0-9a-f]{8})(?:, data (?<data>0x[0-9a-f]+))?(?= \(HookVetoed\))|(?<start>\bHookVetoed\(0x[0-9a-fA-F]{40}, 0x[0-9a-f]{8}, )(?<reason>0x[0-9a-f]{8,})/g

/**
 * Names the errors of a hook's author in a text that shows them as data; other data stays as it is.
 * Example: `with 0x1f2965e8, data 0x1f29… (HookVetoed)` becomes `with SubmittedBefore(0xA1A1…) (HookVetoed)`.
 */
export function explainVetoes(text: string, errors: Abi): string {
  return text.replace(vetoes, (whole, ...rest) => {
    const { before, selector, data, start, reason } = rest.at(-1)
    const error = describeError(reason ?? data ?? selector, errors)
    return error === null ? whole : `${before ?? start}${error}`
  })
}

/**
 * Describes an error with its arguments in printable ASCII, without quotes and backslashes: its author chooses its texts, and it
 * becomes part of JSON. Null when the ABI does not have it. For an error that was cut (the market gives 256 bytes) it returns the
 * name and the data.
 * Examples: `SubmittedBefore(0xA1A1…)`, `TooDear({price: 5, of: 0xA1A1…})`, `Said(cut: 0x60066bd7…)`.
 */
export function describeError(data: Hex, errors: Abi): string | null {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errors, data })
    const text = `${errorName}(${args.map(toText).join(', ')})`
    return text.slice(0, MOST_TEXT).replace(/[^\x20-\x7e]|["\\]/g, '?')
  } catch {
    const name = findErrorName(data, errors)
    return name === null ? null : `${name}(cut: ${data})`
  }
}

/** Prints arrays and structs as JavaScript writes them, without quotes. */
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
 * Reads the errors of an ABI file: an ABI, or an object with `abi`, as compilers write it.
 * Example: `parseErrors('{"abi":[{"type":"error","name":"NoTags","inputs":[]}]}')` has one error.
 * @throws Error when the file has none
 */
export function parseErrors(text: string): Abi {
  const content: unknown = JSON.parse(text)
  const isArtifact = typeof content === 'object' && content !== null && 'abi' in content
  const items: unknown = isArtifact ? content.abi : content
  const errors = Array.isArray(items) ? items.filter((item) => item?.type === 'error') : []
  if (errors.length === 0) throw new Error('it is no ABI with errors')
  return errors
}
