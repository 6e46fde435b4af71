/** What the message of every refusal is: words, and the full stop of the last one. */
export const aSentence = /^\S+ .*\S\.$/s
