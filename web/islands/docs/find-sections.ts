import { searchWords } from '../../words/search-words.ts'

/**
 * A page in the search index, as in `/docs/search.json`: its path, its title, and the anchor, heading and words of each section.
 */
export type SearchEntry = readonly [
  path: string,
  title: string,
  sections: readonly (readonly [id: string, heading: string, words: string])[],
]

/** A section with every word of a query. */
export interface SearchHit {
  href: string
  page: string
  heading: string
}

const MOST_HITS = 30
/** Points of a word that starts a word of the title of the page, of the heading or of the text. */
const POINTS = { title: 6, heading: 8, text: 1 } as const
/** Factor of a whole word over the start of a longer word. */
const WHOLE = 2

/**
 * Finds the sections that have all words of a query, or words that begin with them; the best ones come first, at most 30.
 * Example: `findSections(index, 'refund dead')[0]?.href` is `/docs/learn/money#refunds-after-the-deadline`.
 */
export function findSections(index: readonly SearchEntry[], query: string): SearchHit[] {
  const asked = searchWords(query).map(withoutPlural)
  if (asked.length === 0) return []
  const hits = index.flatMap(([path, page, sections]) => {
    const titleWords = searchWords(page)
    return sections.map(([id, heading, words], position) => {
      const places = { title: titleWords, heading: searchWords(heading), text: words.split(' ') }
      const href = position === 0 ? path : `${path}#${id}`
      return { href, page, heading, points: pointsOf(asked, places) }
    })
  })
  return hits
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST_HITS)
    .map(({ href, page, heading }) => ({ href, page, heading }))
}

/** Returns the sum of points over the words of the query; zero if one of them is in none of the places. */
function pointsOf(asked: readonly string[], places: Record<keyof typeof POINTS, readonly string[]>): number {
  const each = asked.map((word) =>
    (['title', 'heading', 'text'] as const).reduce((sum, place) => {
      if (places[place].includes(word)) return sum + WHOLE * POINTS[place]
      return places[place].some((other) => other.startsWith(word)) ? sum + POINTS[place] : sum
    }, 0),
  )
  return each.includes(0) ? 0 : each.reduce((sum, points) => sum + points, 0)
}

/** Removes the plural of a word of a query, so that it starts both forms. */
function withoutPlural(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word
}
