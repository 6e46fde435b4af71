/** Words that nearly every text has, which no reader looks for. */
const COMMON = new Set(
  'an and are as at be but by for from has have in is it its not of on or than that the then this to was when which with'.split(
    ' ',
  ),
)

/**
 * Returns the words by which a text is found: of two characters or more, in lower case, each once, without common ones.
 * Example: `searchWords('The refund of a Refund')` is `['refund']`.
 */
export function searchWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []
  return [...new Set(words)].filter((word) => !COMMON.has(word))
}
