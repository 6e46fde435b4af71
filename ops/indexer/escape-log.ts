import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { createRedact } from '../../api/text/redact.ts'

/**
 * Preloaded into Ponder: its log is escaped and redacted as it is written. An error in a handler is logged with the arguments of its
 * event, and an event's texts are whatever the sender of a transaction chose; one of a node with its URL, which may have a key.
 * Ponder's logger writes to the file descriptor itself unless `process.stdout.write` has been replaced.
 */
const redact = createRedact([])
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string | Uint8Array, ...others: []) =>
    write(typeof chunk === 'string' ? escapeHidden(redact(chunk)) : chunk, ...others)) as typeof stream.write
}
