import { z } from 'zod'
import { wellFormedText } from '../http/request-schemas.ts'
import { MAX_TAGS } from './task-terms.schemas.ts'

/**
 * One value of the query parameter `tags`. A value with commas has two readings: a list of tags, and a single tag with
 * commas. Example: `a,b` gives `{ whole: 'a,b', parts: ['a', 'b'] }`.
 */
export interface TagList {
  whole: string
  /** The tags that the value names if it is read as a list. Empty if the value can only be a single tag. */
  parts: string[]
}

const MAX_LENGTH = 10_000

/**
 * Splits one value of `tags` at the commas. A task has at most `MAX_TAGS` tags. If the value has more than `MAX_TAGS`
 * parts, the value is not split and counts as a single tag.
 */
function toTagList(text: string): TagList {
  const parts = text.split(',').filter((part) => part !== '')
  return { whole: text, parts: parts.length > MAX_TAGS || parts[0] === text ? [] : parts }
}

/**
 * The schema of the query parameter `tags`. The parameter may be repeated, and each value may list several tags with
 * commas between the tags. Empty tags are ignored. Example: `?tags=art,design&tags=logo`.
 */
export const tagsQuery = z
  .union([z.string(), z.array(z.string())])
  .transform((texts) => [texts].flat().filter((text) => text !== ''))
  .pipe(z.array(wellFormedText(1, MAX_LENGTH)))
  .transform((texts) => texts.map(toTagList))
  .refine((lists) => lists.reduce((count, { parts }) => count + Math.max(parts.length, 1), 0) <= MAX_TAGS, {
    error: `must have at most ${MAX_TAGS} items`,
  })
  .transform((lists) => (lists.length === 0 ? undefined : lists))
  .meta({ override: { type: 'array', items: { type: 'string' }, maxItems: MAX_TAGS, anyOf: undefined } })
