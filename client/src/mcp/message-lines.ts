import { Readable } from 'node:stream'
import { keepPrototypeNames } from '../../../mcp/prototype-names.ts'

/**
 * Reads the messages of an MCP host, one per line. Renames object fields with the name `__proto__`, because the MCP
 * library would silently remove such fields.
 */
export function readMessageLines(input: Readable): Readable {
  return Readable.from(renamedLines(input), { objectMode: false })
}

async function* renamedLines(input: Readable): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for await (const chunk of input) {
    const [end = '', ...nextPieces] = decoder.decode(chunk as Buffer, { stream: true }).split('\n')
    pieces.push(end)
    for (const piece of nextPieces) {
      yield Buffer.from(`${renamed(pieces.join(''))}\n`)
      pieces = [piece]
    }
  }
}

/**
 * Renames the `__proto__` fields in one line of JSON. A line that is not JSON is returned unchanged, and the library
 * refuses it later.
 */
function renamed(line: string): string {
  if (!/__proto__|\\u005f/i.test(line)) return line
  try {
    return JSON.stringify(keepPrototypeNames(JSON.parse(line)))
  } catch {
    return line
  }
}
