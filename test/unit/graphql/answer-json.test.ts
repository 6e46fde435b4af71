import { expect, test } from 'vitest'
import { toAnswerJson } from '../../../graphql/answer-json.ts'

const EMPTY_BYTES = Buffer.byteLength('{"data":{"text":""}}')
const LIMIT_BYTES = 8 * 1024 * 1024

test('given an answer of 8 MB, it is served; a byte more, and it is refused', () => {
  // 'é' has two bytes: bytes are counted, not characters.
  const text = `é${'x'.repeat(LIMIT_BYTES - EMPTY_BYTES - 2)}`
  expect(Buffer.byteLength(toAnswerJson({ text }))).toBe(LIMIT_BYTES)
  expect(() => toAnswerJson({ text: `${text}x` })).toThrow(
    expect.objectContaining({ code: 'RESPONSE_TOO_LARGE', message: expect.stringContaining(`${LIMIT_BYTES} bytes`) }),
  )
})
