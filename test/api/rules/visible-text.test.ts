import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

const task = `0x${'ab'.repeat(32)}`

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})

afterAll(() => api.stop())

/** The fields of text of every write, each as a body that holds it alone. */
const textFields: [path: string, field: string, body: (text: string) => object][] = [
  ['/api/tasks', 'description', (text) => ({ description: text })],
  ['/api/tasks', 'metricDescription', (text) => ({ metricDescription: text })],
  ['/api/tasks', 'metricTarget', (text) => ({ metricTarget: text })],
  ['/api/tasks', 'tags.0', (text) => ({ tags: [text] })],
  ['/api/tasks', 'taskDropCreate.name', (text) => ({ taskDropCreate: { name: text } })],
  ['/api/tasks', 'taskDropCreate.description', (text) => ({ taskDropCreate: { name: 'a', description: text } })],
  ['/api/tasks', 'accessPassword', (text) => ({ accessPassword: text.repeat(8) })],
  [`/api/tasks/${task}/update`, 'description', (text) => ({ description: text })],
  [`/api/tasks/${task}/update`, 'metricDescription', (text) => ({ metricDescription: text })],
  [`/api/tasks/${task}/rate`, 'feedbackText', (text) => ({ feedbackText: text })],
  [`/api/tasks/${task}/pitches`, 'pitchText', (text) => ({ pitchText: text })],
  [`/api/tasks/${task}/proofs`, 'proofData', (text) => ({ proofData: text })],
  [`/api/tasks/${task}/submissions`, 'artifacts.0.fileName', (text) => ({ artifacts: [{ fileName: text }] })],
  [`/api/tasks/${task}/submissions/from-keys`, 'artifacts.0.fileName', (text) => ({ artifacts: [{ fileName: text }] })],
  [`/api/tasks/${task}/submissions/request-upload-url`, 'fileName', (text) => ({ fileName: text })],
]

test.each(textFields)(
  'given a text without a visible character in %s %s, then it is 400 before any payment',
  async (path, field, body) => {
    for (const text of [' ', '\u200b\ufeff', '\u3164', '\u2800']) {
      expect(await issuesOf(path, body(text))).toContainEqual([field, expect.stringContaining('visible character')])
    }
    for (const text of ['a', '🦀', '!', '\u200ba', '٣']) {
      expect((await issuesOf(path, body(text))).filter(([named]) => named === field)).toEqual([])
    }
  },
)

test.each(['a\nb', 'a\u2028b', 'a\u2029', 'a\u200eb', '\u202ea', 'a\u2066', 'a\u061cb', 'a\u007f'])(
  'given the tag %j, then it is 400',
  async (tag) => {
    const issues = await issuesOf('/api/tasks', { tags: ['rust', tag] })
    expect(issues).toContainEqual(['tags.1', expect.stringContaining('direction characters')])
  },
)

async function issuesOf(path: string, body: object): Promise<[field: string, message: string][]> {
  const answer = await api.post(path, body, { 'X-Service-Idempotency-Key': randomUUID() })
  // A body of optional texts alone is well-formed: then there is no such task.
  expect([400, 404]).toContain(answer.status)
  const issues: { path: string; message: string }[] = answer.body.issues ?? []
  return issues.map((issue) => [issue.path, issue.message])
}
