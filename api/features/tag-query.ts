import { z } from 'zod'
import { wellFormedText } from '../http/request-schemas.ts'
import { MAX_TAGS } from './task-terms.schemas.ts'

/** One `tags` value of a query: a tag, or a text with commas that is a list of tags or one tag. */
export interface TagList {
  whole: string
  /** The parts; empty for a text that can only be one tag. */
  parts: string[]
}

const MAX_LENGTH = 10_000

/** Splits one `tags` value. More parts than a task has tags can only be one tag. */
function toTagList(whole: string): TagList {
  const parts = whole.split(',').filter((part) => part !== '')
  return { whole, parts: parts.length > MAX_TAGS || parts[0] === whole ? [] : parts }
}

/** A schema of the parameter `tags`, repeated or separated by commas; blank items are ignored. */
export const tagsQuery = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().filter((text) => text !== ''))
  .pipe(z.array(wellFormedText(1, MAX_LENGTH)))
  .transform((texts) => texts.map(toTagList))
  .refine((lists) => lists.reduce((count, { parts }) => count + Math.max(parts.length, 1), 0) <= MAX_TAGS, {
    error: `must have at most ${MAX_TAGS} items`,
  })
  .transform((lists) => (lists.length === 0 ? undefined : lists))
  .meta({ override: { type: 'array', items: { type: 'string' }, maxItems: MAX_TAGS, anyOf: undefined } })
