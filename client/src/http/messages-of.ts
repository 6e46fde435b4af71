/**
 * The maximum time in milliseconds without data from a stream. The service sends a comment every 15 s. After this time,
 * three comments are missing.
 */
const SILENCE_MS = 45_000
/**
 * The maximum number of characters in one message. A large action queue (200 contests with 50 workers each) has 6
 * million characters.
 */
const MESSAGE_LIMIT = 8_000_000

/**
 * Yields the messages of a stream of server-sent events, with their JSON parsed. Stops when the stream ends, after 45 s
 * without data, or when the signal aborts. Skips comments and messages without JSON.
 * @example for await (const { event, value } of messagesOf(response.body)) if (event === 'task.created') show(value)
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<{ event: string; value: unknown }, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pendingText = ''
  try {
    for (;;) {
      const chunk = await inTime(reader.read(), signal).catch(() => null)
      if (chunk === null || chunk.done) return
      pendingText += decoder.decode(chunk.value, { stream: true })
      if (pendingText.length > MESSAGE_LIMIT) return
      const messages = pendingText.split('\n\n')
      pendingText = messages.pop() ?? ''
      for (const message of messages) {
        const parsedMessage = parseMessage(message)
        if (parsedMessage !== null) yield parsedMessage
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Parses one message of the stream. Returns null for a comment, and for data that is not JSON. */
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

/**
 * Waits for a read of the stream, and returns its result. Returns null after 45 s without data, or when the signal
 * aborts.
 */
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
