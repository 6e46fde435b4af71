import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64 } from '../../../../api/domain/artifacts/base64.ts'
import { createBase64Stream } from '../../../../api/domain/artifacts/base64-stream.ts'
import { byDepth } from '../../../support/depth.ts'
import { cutAt } from '../../http/cut-bytes.ts'

/** The decoded pieces; null: no base64. */
function decode(pieces: readonly Uint8Array[]): Buffer | null {
  const stream = createBase64Stream()
  const decoded = pieces.map((piece) => {
    const bytes = stream.push(piece)
    return bytes && Buffer.from(bytes)
  })
  return decoded.includes(null) || !stream.isWhole() ? null : Buffer.concat(decoded as Uint8Array[])
}

const cuts = fc.array(fc.nat(), { maxLength: 8 })

test('given the base64 of any bytes in any pieces, then it decodes to them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), cuts, (bytes, at) => {
      const text = Buffer.from(Buffer.from(bytes).toString('base64'))
      expect(decode(cutAt(text, at))).toEqual(Buffer.from(bytes))
    }),
  )
})

test('given any other text in any pieces, then the result is that of the whole text', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'AQgw4+/=-_ \n!é'), minLength: 1, maxLength: 24 })
  fc.assert(
    fc.property(texts, cuts, (text, at) => {
      const whole = decodeBase64(text)
      expect(decode(cutAt(Buffer.from(text), at))).toEqual(whole && Buffer.from(whole))
    }),
    { numRuns: byDepth(400, 2_000) },
  )
})

test('given more after padding, at the end of a piece too, then it is no base64', () => {
  for (const at of [[], [4], [2, 6]]) expect(decode(cutAt(Buffer.from('QQ==QUFB'), at))).toBeNull()
})

test('given base64 with one character of another alphabet, anywhere, then it is no base64', () => {
  const text = Buffer.from(Buffer.alloc(30, 'any bytes').toString('base64'))
  for (let position = 0; position < text.length; position += 1) {
    for (const wrong of '-_ \n\0"é='.split('').filter((c) => c !== '=' || position < text.length - 1)) {
      const broken = Buffer.concat([text.subarray(0, position), Buffer.from(wrong), text.subarray(position + 1)])
      for (const at of [[], [position], [position, position + 1]]) expect(decode(cutAt(broken, at))).toBeNull()
    }
  }
})
