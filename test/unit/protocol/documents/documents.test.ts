import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { keccak256, stringToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { hashDocument, type Json, toCanonicalJson } from '../../../../protocol/documents/canonical-json.ts'
import { toFeedbackDocument } from '../../../../protocol/documents/feedback-document.ts'
import { noTexts, reviseTexts } from '../../../../protocol/documents/revise-texts.ts'
import { type ManifestArtifact, toSubmissionManifest } from '../../../../protocol/documents/submission-manifest.ts'
import { type TaskTexts, toTaskDocument } from '../../../../protocol/documents/task-document.ts'
import { alice, requester, taskId } from '../../../support/task-snapshots.ts'

const salt = `0x${'5a'.repeat(32)}` as const
const hex32 = (byte: string) => `0x${byte.repeat(32)}` as const

const texts: TaskTexts = {
  description: 'Fix the “flaky” test\n',
  tags: ['b', 'a'],
  taskVisibility: 'public',
  submissionVisibility: 'winner_only',
  metricDescription: null,
  metricTarget: null,
}

describe('the document of a task', () => {
  test('given its fields, then it has exactly these bytes', () => {
    const { text, hash } = toTaskDocument(texts, salt)
    expect(text).toBe(
      `{"description":"Fix the “flaky” test\\n","metricDescription":null,"metricTarget":null,"salt":"${salt}",` +
        '"schema":"service-task-v1","submissionVisibility":"winner_only","tags":["b","a"],"taskVisibility":"public"}',
    )
    expect(hash).toBe(keccak256(stringToBytes(text)))
  })

  test('given another salt, then it has another hash', () => {
    expect(toTaskDocument(texts, hex32('5b')).hash).not.toBe(toTaskDocument(texts, salt).hash)
  })
})

describe('the manifest of a submission', () => {
  const artifact = (displayOrder: number): ManifestArtifact => ({
    role: 'final',
    fileName: `../ünïcode "${displayOrder}".txt`,
    mimeType: 'text/plain',
    sizeBytes: 3,
    sha256Hash: 'cd'.repeat(32),
    keccak256Hash: hex32('ab'),
    displayOrder,
  })

  test('given its fields, then it has exactly these bytes: keys sorted, artifacts in display order, no whitespace', () => {
    // Rows of the service have more fields than the manifest.
    const rows = [
      { ...artifact(1), id: 'x', textPreview: null },
      { ...artifact(0), id: 'y', textPreview: 'abc' },
    ]
    const { text, hash } = toSubmissionManifest({ taskId, worker: alice, artifacts: rows }, salt)
    const line = (displayOrder: number) =>
      `{"displayOrder":${displayOrder},"fileName":"../ünïcode \\"${displayOrder}\\".txt","keccak256Hash":"${hex32('ab')}",` +
      `"mimeType":"text/plain","role":"final","sha256Hash":"${'cd'.repeat(32)}","sizeBytes":3}`
    expect(text).toBe(
      `{"artifacts":[${line(0)},${line(1)}],"salt":"${salt}","schema":"service-artifacts-v1","taskId":"${taskId}",` +
        '"workerAddress":"0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1"}',
    )
    expect(hash).toBe(keccak256(stringToBytes(text)))
  })
})

describe('the feedback file', () => {
  const feedback = {
    chainId: 8453,
    identityRegistry: '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432',
    taskId,
    requester,
    worker: alice,
    workerAgentId: 7n,
    rating: 90,
    feedbackText: 'Thanks!',
    createdAt: '2030-01-01T00:00:00.000Z',
  } as const

  test('given its fields, then it has exactly these bytes', () => {
    expect(toFeedbackDocument(feedback, salt).text).toBe(
      '{"agentId":7,"agentRegistry":"eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",' +
        '"clientAddress":"eip155:8453:0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa","createdAt":"2030-01-01T00:00:00.000Z",' +
        `"feedbackText":"Thanks!","salt":"${salt}","schema":"service-feedback-v1","tag1":"starred","taskId":"${taskId}",` +
        '"value":90,"valueDecimals":0,"workerAddress":"0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1"}',
    )
  })

  test.each([
    [null, '"agentId":null'],
    [0n, '"agentId":0'],
    [2n ** 53n - 1n, '"agentId":9007199254740991'],
    [2n ** 53n, '"agentId":"9007199254740992"'],
  ])('given agent %s, then its id keeps every digit', (workerAgentId, field) => {
    expect(toFeedbackDocument({ ...feedback, workerAgentId }, salt).text).toContain(field)
  })
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
