/** The maximum size of an answer that the client reads, in bytes. The service's largest answers are much smaller. */
export const MOST_BYTES = 8 * 1024 * 1024

/** The maximum nesting depth of an answer's JSON. The depth limits the recursion of functions that walk the answer. */
const MOST_LEVELS = 100

/** Thrown for an answer that exceeds the maximum size or nesting depth. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
}

/**
 * Reads the text of a JSON answer. Closes the connection if the answer is too large.
 * @throws AnswerTooLarge
 */
export async function readBoundedText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return checkDepth(text + decoder.decode())
    bytes += value.length
    if (bytes > MOST_BYTES) {
      await reader.cancel().catch(() => {})
      throw new AnswerTooLarge(`the answer is larger than ${MOST_BYTES / 1024 / 1024} MiB`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

function checkDepth(text: string): string {
  let levels = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (isInText && mark === '\\') at += 1
    else if (mark === '"') isInText = !isInText
    else if (!isInText && (mark === '[' || mark === '{')) levels += 1
    else if (!isInText && (mark === ']' || mark === '}')) levels -= 1
    if (levels > MOST_LEVELS) throw new AnswerTooLarge(`the answer is nested deeper than ${MOST_LEVELS} levels`)
  }
  return text
}
