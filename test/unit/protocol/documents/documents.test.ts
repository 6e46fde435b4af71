import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashDocument, type Json, toCanonicalJson } from '../../../../protocol/documents/canonical-json.ts'
import { noTexts, reviseTexts } from '../../../../protocol/documents/revise-texts.ts'
import { type TaskTexts, toTaskDocument } from '../../../../protocol/documents/task-document.ts'

const texts: TaskTexts = {
  description: 'Fix the “flaky” test\n',
  tags: ['b', 'a'],
  taskVisibility: 'public',
  submissionVisibility: 'winner_only',
  metricDescription: null,
  metricTarget: null,
}

test('given another salt, then the document of a task has another hash', () => {
  const [one, other] = (['5a', '5b'] as const).map((byte) => toTaskDocument(texts, `0x${byte.repeat(32)}`))
  expect(one?.hash).not.toBe(other?.hash)
})

describe('a hashed document', () => {
  const anyText = fc.string({ unit: 'binary' })

  test('given any order of keys, then it is the same, and can be read back', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (document) => {
        const { text, hash } = hashDocument(document)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)))
        const reversed = Object.fromEntries(Object.entries(document).toReversed())
        expect(hashDocument(reversed)).toEqual({ text, hash })
      }),
    )
  })

  test('given any JSON, then its text is that of another implementation', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(toCanonicalJson(value as Json)).toBe(canonicalize(value))
      }),
    )
  })

  test.each<Json>([{ a: '\ud800' }, { '\udc00': 1 }, { a: Number.NaN }, { a: [Number.POSITIVE_INFINITY] }])(
    'given %o, which UTF-8 or JSON cannot represent, then it is refused',
    (document) => {
      expect(() => hashDocument(document)).toThrow()
    },
  )
})

describe('revised texts', () => {
  test.each<[string, Parameters<typeof reviseTexts>[1]]>([
    ['nothing', {}],
    ['the same description', { description: texts.description }],
    ['the same tags', { tags: ['b', 'a'] }],
  ])('given %s, then there is nothing new', (_name, changes) => {
    expect(reviseTexts(texts, changes)).toBeNull()
  })

  test('given a change, then every other field is kept', () => {
    expect(reviseTexts(texts, { description: 'new' })).toEqual({ ...texts, description: 'new' })
    expect(reviseTexts(texts, { tags: ['a', 'b'] })).toEqual({ ...texts, tags: ['a', 'b'] })
    expect(reviseTexts(texts, { metricDescription: '' })).toEqual({ ...texts, metricDescription: '' })
  })

  test('given a task without texts, then it stays unlisted', () => {
    expect(reviseTexts(noTexts, { description: 'new' })).toEqual({
      description: 'new',
      tags: [],
      taskVisibility: 'unlisted',
      submissionVisibility: 'public',
      metricDescription: null,
      metricTarget: null,
    })
  })
})
