import { expect, test } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../../../api/errors/service-error.ts'
import { parseWith } from '../../../api/http/parse.ts'

function refusalOf(schema: z.ZodType, input: unknown): string {
  try {
    parseWith(schema, input)
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
  throw new Error('it was taken')
}

test.each([
  ['nothing where something is needed', z.string(), undefined, 'field: is required.'],
  ['another type', z.string(), 5, 'field: must be a string.'],
  ['a fraction', z.int(), 1.5, 'field: must be a whole number.'],
  ['a text as a list', z.array(z.string()), 'a', 'field: must be a list.'],
  ['a parameter that is given twice', z.string(), ['a', 'b'], 'field: must be a string, given once and not as a list.'],
  ['a type with words of its own', z.string({ error: 'must be short' }), 5, 'field: must be short.'],
  ['another word', z.enum(['a', 'b']), 'c', 'Invalid option'],
  ['a list that is too long', z.array(z.int()).max(2), [1, 2, 3], 'field: must have at most 2 items.'],
  ['a list that is too short', z.array(z.int()).min(1), [], 'field: must have at least 1 item.'],
  ['a text that is too long', z.string().max(2), 'abc', 'field: must have at most 2 characters.'],
  ['a number that is too large', z.int().max(100), 101, 'field: must be at most 100.'],
  ['a number that is too small', z.int().min(1), 0, 'field: must be at least 1.'],
  [
    'a value that two checks refuse in the same words',
    z
      .string()
      .regex(/^a/, 'must be a')
      .refine((text) => text.length < 2, { error: 'must be a' }),
    'bb',
    'field: must be a.',
  ],
  ['a rule with words of its own', z.string().max(2, { error: 'must be short' }), 'abc', 'field: must be short.'],
])('given %s, then the message says what it must be', (_, schema, field, sentence) => {
  const words = sentence.startsWith('field') ? sentence : expect.stringMatching(/^field: must be one of/)
  expect(refusalOf(z.object({ field: schema }), { field })).toEqual(words)
})
