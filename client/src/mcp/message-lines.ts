import { Readable } from 'node:stream'
import { keepPrototypeNames } from '../../../mcp/prototype-names.ts'

/**
 * Reads the messages of a host, one a line, with every name that they have: the protocol's library would leave out a
 * member `__proto__` in silence.
 */
export function readMessageLines(input: Readable): Readable {
  return Readable.from(renamedLines(input), { objectMode: false })
}

async function* renamedLines(input: Readable): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for await (const chunk of input) {
    const [end = '', ...begun] = decoder.decode(chunk as Buffer, { stream: true }).split('\n')
    pieces.push(end)
    for (const piece of begun) {
      yield Buffer.from(`${renamed(pieces.join(''))}\n`)
      pieces = [piece]
    }
  }
}

/** A line that is no JSON is left as it is: the library refuses it. */
function renamed(line: string): string {
  if (!/__proto__|\\u005f/i.test(line)) return line
  try {
    return JSON.stringify(keepPrototypeNames(JSON.parse(line)))
  } catch {
    return line
  }
}
