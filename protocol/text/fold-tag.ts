/**
 * Returns the form in which tags are compared: NFKD, case folding, NFKC. The PostgreSQL function `service.folded_tag`
 * has the same rule.
 * Example: `foldTag('Straße')` and `foldTag('STRASSE')` are both `strasse`; `Ｒust` and `rust` are both `rust`.
 */
export function foldTag(tag: string): string {
  // JavaScript has no case folding. Each code point becomes lower case separately, because a sigma at the end of a word
  // would otherwise become another letter. `FOLDED_LETTERS` replaces the remaining letters.
  return Array.from(tag.normalize('NFKD'), foldCharacter).join('').normalize('NFKC')
}

/** Lower-case letters that remain after NFKD, each with its folded form. */
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
  const lowerLetter = character.toLowerCase()
  return FOLDED_LETTERS[lowerLetter] ?? lowerLetter
}

/**
 * Returns the index of the first tag that has the same folded form as an earlier tag; -1 if all tags are different.
 * Example: `findRepeatedTag(['rust', 'Rust'])` is 1.
 */
export function findRepeatedTag(tags: readonly string[]): number {
  const foldedTags = tags.map(foldTag)
  return foldedTags.findIndex((tag, place) => foldedTags.indexOf(tag) < place)
}
