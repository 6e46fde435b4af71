/** The most that is read of an answer, bytes: the largest answers of the service are a part of it. */
export const MOST_BYTES = 8 * 1024 * 1024

/** An answer is larger than the client reads. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'

  constructor() {
    super(`the answer is larger than ${MOST_BYTES / 1024 / 1024} MiB`)
  }
}

/** The text of an answer; ends the connection of one that is too large. @throws AnswerTooLarge */
export async function readBoundedText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > MOST_BYTES) {
      await reader.cancel().catch(() => {})
      throw new AnswerTooLarge()
    }
    text += decoder.decode(value, { stream: true })
  }
}
