/**
 * Returns the form in which tags are compared: Unicode's compatibility decomposition, case folding and composition. JavaScript
 * has no case folding; it is lower case, code point by code point (a sigma at the end of a word has another lower case), and the
 * letters that fold to others than their lower case. PostgreSQL has the same rule as `service.folded_tag`.
 * Example: `foldTag('Straße')` and `foldTag('STRASSE')` are `strasse`; `Ｒust` and `rust` are one tag too.
 */
export function foldTag(tag: string): string {
  return Array.from(tag.normalize('NFKD'), foldCharacter).join('').normalize('NFKC')
}

/** Lower-case letters that fold to others, of those that a decomposition leaves. */
const FOLDED_LETTERS: Partial<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  և: 'եւ',
  '\u0345': 'ι',
  ᲀ: 'в',
  ᲁ: 'д',
  ᲂ: 'о',
  ᲃ: 'с',
  ᲄ: 'т',
  ᲅ: 'т',
  ᲆ: 'ъ',
  ᲇ: 'ѣ',
  ᲈ: 'ꙋ',
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase()
  return FOLDED_LETTERS[lower] ?? lower
}

/**
 * Returns the index of the first tag that folds to an earlier one of the list; -1 when all differ.
 * Example: `findRepeatedTag(['rust', 'Rust'])` is 1.
 */
export function findRepeatedTag(tags: readonly string[]): number {
  const folded = tags.map(foldTag)
  return folded.findIndex((tag, place) => folded.indexOf(tag) < place)
}
