import { parentPort } from 'node:worker_threads'
import { hasSqlDetails, loadModule, parseSync } from 'libpg-query'
import { findRefusal } from './find-refusal.ts'
import type { ParseRequest, ThreadMessage, Verdict } from './query-gate.ts'

/**
 * The thread of `createQueryGate`: parses a query with PostgreSQL's own grammar and walks the tree. A text that is
 * nested too deeply exhausts the stack and leaves the parser's memory in an unknown state, so the thread ends with it.
 */
const port = parentPort
if (port === null) throw new Error('this program runs as a thread')
await loadModule()
port.on('message', ({ text, schema }: ParseRequest) => send(check(text, schema)))
send('ready')

function send(message: ThreadMessage): void {
  port?.postMessage(message)
}

function check(text: string, schema: string): Verdict {
  try {
    const found = findRefusal(parseSync(text).stmts, schema)
    if (!('message' in found)) return found
    return { message: found.message, position: found.offset === null ? null : characterAt(text, found.offset) }
  } catch (error) {
    if (error instanceof Error && error.message === 'Query cannot be empty') {
      return { message: 'The query is empty.', position: null }
    }
    if (!hasSqlDetails(error)) throw error
    // The parser counts the characters of an error, and the bytes of a node.
    const { message, cursorPosition } = error.sqlDetails ?? { message: 'syntax error', cursorPosition: -1 }
    return { message: `${message}.`, position: cursorPosition >= 0 ? cursorPosition + 1 : null }
  }
}

/** The place of a byte of the UTF-8 text as a character, from 1. */
function characterAt(text: string, offset: number): number {
  const before = Buffer.from(text, 'utf8').subarray(0, offset).toString('utf8')
  return Array.from(before).length + 1
}
