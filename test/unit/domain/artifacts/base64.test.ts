import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64 } from '../../../../api/domain/artifacts/base64.ts'

test('given any bytes, then their base64 decodes to them', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(Buffer.from(bytes))
    }),
  )
})

test.each([
  ['no padding', 'YQ'],
  ['half the padding', 'YQ='],
  ['too much padding', 'YWJj='],
  ['bits that nothing stands for', 'YR=='],
  ['the URL alphabet', '-_-_'],
  ['a line break', 'YWJj\nYWJj'],
  ['a space at the end', 'YWJj '],
  ['a data URL', 'data:text/plain;base64,YWJj'],
  ['a foreign character', 'YW!j'],
  ['characters beyond ASCII', 'YWJjé==='],
  ['padding in the middle', 'YQ==YQ=='],
  ['one character', 'Y'],
])('given %s, then it is not base64', (_name, text) => {
  expect(decodeBase64(text)).toBeNull()
})
