/** Frequent English words, which are ignored in a search. */
const COMMON = new Set(
  'an and are as at be but by for from has have in is it its not of on or than that the then this to was when which with'.split(
    ' ',
  ),
)

/**
 * Splits a text into the words that the search compares. The words are in lower case, have at least two characters and
 * occur once each. Frequent words are omitted. Example: `searchWords('The refund of a Refund')` is `['refund']`.
 */
export function searchWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []
  return [...new Set(words)].filter((word) => !COMMON.has(word))
}
