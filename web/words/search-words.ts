/** Frequent English words, which are ignored in a search. */
const COMMON = new Set(
  'an and are as at be but by for from has have in is it its not of on or than that the then this to was when which with'.split(
    ' ',
  ),
)

/**
 * Returns the words of a text for the search: of at least two characters, in lower case, once each. Frequent words are
 * omitted. Example: `searchWords('The refund of a Refund')` is `['refund']`.
 */
export function searchWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []
  return [...new Set(words)].filter((word) => !COMMON.has(word))
}
