import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { createRedact } from '../../api/text/redact.ts'

/**
 * A module preloaded into Ponder that escapes and redacts Ponder's log. An error in a handler is logged with the
 * arguments of the event, whose texts the sender of a transaction chose. An error of a node is logged with the node's
 * URL, which may contain a key.
 *
 * Ponder's logger writes directly to the file descriptor unless `process.stdout.write` is replaced.
 */
const redact = createRedact([])
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string | Uint8Array, ...others: []) =>
    write(typeof chunk === 'string' ? escapeHidden(redact(chunk)) : chunk, ...others)) as typeof stream.write
}
