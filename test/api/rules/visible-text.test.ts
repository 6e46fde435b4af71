import { expect, test } from 'vitest'
import { z } from 'zod'
import { tagsSchema } from '../../../api/features/task-terms.schemas.ts'
import { routes, writes } from '../../../api/server/routes.ts'

/** Fields of text that are compared, looked up or run, and not stored for people to read. */
const COMPARED = new Set([
  'taskDropId',
  'signature',
  'apiToken',
  'password',
  'accountRecoveryCode',
  'bundleVersion',
  'bundleDigest',
  'query',
  'params.0',
  // Of webhooks.
  'url',
  'filters.tag',
  'filters.tag.0',
  'filters.q',
  'after',
])

type Part = { type?: string; properties?: Record<string, Part>; items?: Part; anyOf?: Part[]; allOf?: Part[] }

/** The paths of all texts in a schema, with `0` for an item of a list. */
function textPaths({ type, properties = {}, items, anyOf = [], allOf = [] }: Part): string[][] {
  const below = (name: string, part: Part) => textPaths(part).map((path) => [name, ...path])
  return [
    ...(type === 'string' ? [[]] : []),
    ...Object.entries(properties).flatMap(([name, part]) => below(name, part)),
    ...(items === undefined ? [] : below('0', items)),
    ...[...anyOf, ...allOf].flatMap(textPaths),
  ]
}

const bodyWith = ([name, ...inner]: string[], text: string): unknown => {
  if (name === undefined) return text
  return name === '0' ? [bodyWith(inner, text)] : { [name]: bodyWith(inner, text) }
}

/** Every field of text of every body, with what its texts must begin with: a field of URLs takes no other text. */
const textFields = [...writes, ...routes].flatMap(({ operationId, body }) => {
  if (body === undefined) return []
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Part
  return textPaths(schema).flatMap((path) => {
    const field = path.join('.')
    const takes = (text: string) =>
      body.safeParse(bodyWith(path, text)).error?.issues.every((issue) => issue.path.join('.') !== field) ?? true
    const start = ['', 'https://'].find((begun) => takes(`${begun}${'a'.repeat(8)}`))
    return start === undefined || COMPARED.has(field) ? [] : [{ operationId, field, path, start, takes }]
  })
})

test('the fields of text are found in the schemas', () => {
  const names = textFields.map(({ operationId, field, start }) => `${operationId} ${field} ${start}`.trim())
  expect(names).toEqual(
    expect.arrayContaining([
      'createTask tags.0',
      'createTask taskDropCreate.description',
      'createSubmission artifacts.0.fileName',
      'rateWorker feedbackText',
      'registerIdentity agentURI https://',
    ]),
  )
})

test.each(textFields)(
  'given a text without a visible character in $operationId $field, then it is refused',
  ({ start, takes }) => {
    for (const text of [' ', '\u200b\ufeff', '\u200b', '\u3164', '\u2800']) {
      expect([text, takes(`${start}${text.repeat(8)}`)]).toEqual([text, false])
    }
    for (const text of ['a', '🦀', '!', '\u200ba', '٣']) {
      expect([text, takes(`${start}${text.repeat(8)}`)]).toEqual([text, true])
    }
  },
)

test('given a tag with line separators, control or direction characters, then it is refused with its field', () => {
  for (const tag of ['a\nb', 'a\u2028b', 'a\u2029', 'a\u200eb', '\u202ea', 'a\u2066', 'a\u061cb', 'a\u007f']) {
    const [issue] = tagsSchema.safeParse(['rust', tag]).error?.issues ?? []
    expect([tag, issue?.path, issue?.message]).toEqual([tag, [1], expect.stringContaining('direction characters')])
  }
})
