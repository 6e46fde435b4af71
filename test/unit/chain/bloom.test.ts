import { describe, expect, it } from 'vitest'
import { isEmptyBloom, isInBloom } from '../../../api/chain/bloom.ts'

const FEW = `0x${'0'.repeat(510)}40` as const

describe('a bloom', () => {
  it('given no bit, then it has no address', () => {
    const empty = `0x${'0'.repeat(512)}` as const
    expect(isEmptyBloom(empty)).toBe(true)
    expect(isInBloom(empty, '0x1111111111111111111111111111111111111111')).toBe(false)
  })

  it('given bits of another address, then it is not empty and has none of our addresses', () => {
    expect(isEmptyBloom(FEW)).toBe(false)
    expect(isInBloom(FEW, '0x1111111111111111111111111111111111111111')).toBe(false)
  })
})
