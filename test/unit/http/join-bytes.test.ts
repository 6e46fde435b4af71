import { expect, test } from 'vitest'
import { toPageText } from '../../../api/features/tasks/list/task-page.ts'
import { compressedText } from '../../../api/http/compression.ts'
import { toAnswerBody } from '../../../api/server/response-cache.ts'

const bytes = Buffer.from('{"id":"ä"}')
const page = {
  tasks: [
    { bytes, hash: 'a' },
    { bytes, hash: 'b' },
  ],
  nextCursor: null,
  hasMore: false,
  state: null,
}

test.each([
  ['answer', () => toAnswerBody({ count: 1 }).bytes, '{"count":1}'],
  ['page', () => toPageText(page).bytes, '{"tasks":[{"id":"ä"},{"id":"ä"}],"nextCursor":null,"hasMore":false}'],
  ['compressed answer', () => compressedText({ bytes }), undefined],
])('a kept %s takes its own bytes and no more', async (_name, make, text) => {
  const made = await make()
  expect(made.buffer.byteLength).toBe(made.length)
  expect(text ?? made.toString()).toBe(made.toString())
})
