import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { createRedact } from '../../api/text/redact.ts'

/**
 * Escapes and redacts Ponder's log. This module is preloaded into Ponder. The log can contain texts from the sender of
 * a transaction, and node URLs with a key.
 */
const redact = createRedact([])
// Ponder's logger writes to the file descriptor unless `process.stdout.write` is replaced.
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string | Uint8Array, ...others: []) =>
    write(typeof chunk === 'string' ? escapeHidden(redact(chunk)) : chunk, ...others)) as typeof stream.write
}
