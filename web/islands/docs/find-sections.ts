import { searchWords } from '../../words/search-words.ts'

/**
 * A page in the search index `/docs/search.json`: path, title and sections. A section has an anchor, a heading, and the
 * section's words with spaces between them.
 */
export type SearchEntry = readonly [
  path: string,
  title: string,
  sections: readonly (readonly [id: string, heading: string, words: string])[],
]

/** A search result: a section of the documentation that matches every word of the query. */
export interface SearchHit {
  href: string
  page: string
  heading: string
}

const MOST_HITS = 30
/**
 * Points for a word of the query. There are points for a match in the page's title, in the section's heading and in the
 * section's text. A match is a word that begins with the query's word. The points of all matching parts are added.
 */
const POINTS = { title: 6, heading: 8, text: 1 } as const
/**
 * The factor for an exact match. If a word of a part equals the query's word, the points of the part are multiplied by
 * this factor. If words of the part only begin with the query's word, the points stay the same.
 */
const WHOLE = 2

/**
 * Finds the sections that match every word of a query. A section matches a word of the query if the page's title, the
 * section's heading or the section's text contains a word that begins with the query's word. Returns at most 30
 * sections, the best first.
 * Example: `findSections(index, 'refund dead')[0]?.href` is `/docs/learn/money#refunds-after-the-deadline`.
 */
export function findSections(index: readonly SearchEntry[], query: string): SearchHit[] {
  const queryWords = searchWords(query).map(withoutPlural)
  if (queryWords.length === 0) return []
  const hits = index.flatMap(([path, page, sections]) => {
    const titleWords = searchWords(page)
    return sections.map(([id, heading, words], position) => {
      const places = { title: titleWords, heading: searchWords(heading), text: words.split(' ') }
      const href = position === 0 ? path : `${path}#${id}`
      return { href, page, heading, points: pointsOf(queryWords, places) }
    })
  })
  return hits
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST_HITS)
    .map(({ href, page, heading }) => ({ href, page, heading }))
}

/** Returns the sum of the points of all words of the query; 0 if the section lacks one of the words. */
function pointsOf(queryWords: readonly string[], places: Record<keyof typeof POINTS, readonly string[]>): number {
  const each = queryWords.map((word) =>
    (['title', 'heading', 'text'] as const).reduce((sum, place) => {
      if (places[place].includes(word)) return sum + WHOLE * POINTS[place]
      return places[place].some((other) => other.startsWith(word)) ? sum + POINTS[place] : sum
    }, 0),
  )
  return each.includes(0) ? 0 : each.reduce((sum, points) => sum + points, 0)
}

/** Removes a final `s` from a word of the query. The word then matches the singular and the plural. */
function withoutPlural(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word
}
