import { searchWords } from '../words/search-words.ts'
import type { RenderedMarkdown } from './render-markdown.ts'

/**
 * A page in the search index: path, title and sections. A section has an anchor, a heading, and the section's words
 * with spaces between them.
 */
export type SearchEntry = [path: string, title: string, sections: [id: string, heading: string, words: string][]]

/**
 * Creates the entry of a page in the search index. The words of a section come from its text and are sorted
 * alphabetically.
 * Example: `['/docs/learn/glossary', 'Glossary', [['glossary', 'Glossary', 'concept word']]]`.
 */
export function toSearchEntry({
  path,
  title,
  sections,
}: { path: string; title: string } & Pick<RenderedMarkdown, 'sections'>): SearchEntry {
  return [path, title, sections.map(({ id, heading, text }) => [id, heading, wordsOf(text).join(' ')])]
}

/** Returns the searchable words of a text in alphabetical order, without numbers and hashes. */
function wordsOf(text: string): string[] {
  return searchWords(text)
    .filter((word) => !/^(?:0x|\d+$)/.test(word))
    .toSorted()
}
