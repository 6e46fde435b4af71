import { searchWords } from '../words/search-words.ts'
import type { RenderedMarkdown } from './render-markdown.ts'

/** A page in the search index: its path, its title, and of each section anchor, heading and words. */
export type SearchEntry = [path: string, title: string, sections: [id: string, heading: string, words: string][]]

/**
 * Makes the entry of a page. The words of a section are those of its text, in alphabetical order.
 * Example: `['/docs/learn/glossary', 'Glossary', [['glossary', 'Glossary', 'concept word']]]`.
 */
export function toSearchEntry({
  path,
  title,
  sections,
}: { path: string; title: string } & Pick<RenderedMarkdown, 'sections'>): SearchEntry {
  return [path, title, sections.map(({ id, heading, text }) => [id, heading, wordsOf(text).join(' ')])]
}

/** Without numbers and hashes. */
function wordsOf(text: string): string[] {
  return searchWords(text)
    .filter((word) => !/^(?:0x|\d+$)/.test(word))
    .toSorted()
}
