import { escapeHidden } from '../../api/text/escape-hidden.ts'

/**
 * Preloaded into Ponder: its log is escaped as it is written. An error in a handler is logged with the arguments of its
 * event, and an event's texts are whatever the sender of a transaction chose. Ponder's logger writes to the file
 * descriptor itself unless `process.stdout.write` has been replaced.
 */
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string | Uint8Array, ...others: []) =>
    write(typeof chunk === 'string' ? escapeHidden(chunk) : chunk, ...others)) as typeof stream.write
}
