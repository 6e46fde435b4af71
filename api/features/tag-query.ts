import { z } from 'zod'
import { wellFormedText } from '../http/request-schemas.ts'
import { MAX_TAGS } from './task-terms.schemas.ts'

/** One value of the query parameter `tags`. A value with commas may be a list of tags, or a single tag with commas. */
export interface TagList {
  whole: string
  /** The tags of the value if it is a list. Empty if the value can only be a single tag. */
  parts: string[]
}

const MAX_LENGTH = 10_000

/**
 * Splits one value of `tags` at the commas. A value with more parts than the largest number of tags of a task is a
 * single tag.
 */
function toTagList(text: string): TagList {
  const parts = text.split(',').filter((part) => part !== '')
  return { whole: text, parts: parts.length > MAX_TAGS || parts[0] === text ? [] : parts }
}

/** The schema of the query parameter `tags`, which may be repeated or separated by commas. Empty items are ignored. */
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
