/**
 * Maximum silence of a stream, milliseconds. The service sends a comment every 15 s; after three missing ones the stream counts
 * as dead.
 */
const SILENCE_MS = 45_000
/** Maximum characters of one message. A queue of 200 contests with 50 workers to rate each has 6 million. */
const MESSAGE_LIMIT = 8_000_000

/**
 * Yields the messages of a stream of server-sent events with their parsed JSON. Ends with the stream, after 45 s of silence, or
 * when the signal aborts. Skips comments and messages without JSON.
 * @example for await (const { event, value } of messagesOf(response.body)) if (event === 'task.created') show(value)
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<{ event: string; value: unknown }, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  try {
    for (;;) {
      const chunk = await inTime(reader.read(), signal).catch(() => null)
      if (chunk === null || chunk.done) return
      pending += decoder.decode(chunk.value, { stream: true })
      if (pending.length > MESSAGE_LIMIT) return
      const messages = pending.split('\n\n')
      pending = messages.pop() ?? ''
      for (const message of messages) {
        const parsed = parseMessage(message)
        if (parsed !== null) yield parsed
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Parses one message; null: a comment, or no JSON. */
function parseMessage(message: string): { event: string; value: unknown } | null {
  const field = (name: string) =>
    message
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const data = field('data')
  if (data === undefined) return null
  try {
    return { event: field('event') ?? 'message', value: JSON.parse(data) }
  } catch {
    return null
  }
}

/** Waits for a read of the stream; null: 45 s of silence, or the signal aborted. */
export async function inTime<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let onAbort = () => {}
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SILENCE_MS)
    onAbort = () => resolve(null)
    if (signal?.aborted === true) onAbort()
    signal?.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
