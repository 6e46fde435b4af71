import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  auctionTypes,
  isContest,
  parseAuctionType,
  parseTaskMode,
  taskModes,
  toAuctionSelector,
  toAuctionType,
  toModeSelector,
  toTaskMode,
  unknownName,
} from '../../../protocol/rules/selectors.ts'

const anySelector = fc
  .uint8Array({ minLength: 4, maxLength: 4 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)

describe('modes', () => {
  // The first four bytes of keccak256("TMP.mode.bounty"), computed by another implementation.
  test('given bounty, then it has the selector of the standard', () => {
    expect(toModeSelector('bounty')).toBe('0xa81913a5')
  })

  test.each(taskModes)('given the selector of %s, in any case of the hex, then it is found', (mode) => {
    expect(toTaskMode(toModeSelector(mode))).toBe(mode)
    expect(toTaskMode(`0x${toModeSelector(mode).slice(2).toUpperCase()}`)).toBe(mode)
  })

  test('given all modes, then their selectors differ', () => {
    const selectors = [...taskModes.map(toModeSelector), ...auctionTypes.map(toAuctionSelector)]
    expect(new Set(selectors).size).toBe(taskModes.length + auctionTypes.length)
  })

  test('given any other selector, then it is unknown, without an error', () => {
    const known: string[] = taskModes.map(toModeSelector)
    fc.assert(
      fc.property(anySelector, (selector) => {
        fc.pre(!known.includes(selector))
        expect(toTaskMode(selector)).toBe('unknown')
      }),
    )
  })
})

describe('auction subtypes', () => {
  test('given reverse dutch, then the standard spells it with a dash', () => {
    expect(toAuctionSelector('reverse_dutch')).toBe('0x71353053')
  })

  test.each(auctionTypes)('given the selector of %s, then it is found', (auctionType) => {
    expect(toAuctionType(toAuctionSelector(auctionType))).toBe(auctionType)
  })

  test('given the zero selector, then it is no auction', () => {
    expect(toAuctionType('0x00000000')).toBeNull()
  })

  test('given any other selector, then it is unknown, without an error', () => {
    expect(toAuctionType('0xdeadbeef')).toBe('unknown')
  })
})

test('given stored names, then they are read back, and others are refused', () => {
  for (const mode of [...taskModes, 'unknown']) expect(parseTaskMode(mode)).toBe(mode)
  for (const auctionType of [...auctionTypes, 'unknown', null]) expect(parseAuctionType(auctionType)).toBe(auctionType)
  expect(() => parseTaskMode('lottery')).toThrow('lottery')
  expect(() => parseAuctionType('vickrey')).toThrow('vickrey')
})

test('given all modes, then exactly bounty and benchmark are contests', () => {
  expect(([...taskModes, unknownName] as const).filter(isContest)).toEqual(['bounty', 'benchmark'])
})
