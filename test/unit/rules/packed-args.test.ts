import { type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { getEventAbi } from '../../../protocol/rules/event-args.ts'
import { layOutArgs, packArgs } from '../../../protocol/rules/packed-args.ts'
import { taskEventNames } from '../../../src/schema/history.ts'

const abi = parseAbi([
  'struct Terms { uint96 reward; bytes4 mode; bytes32[] tags; bool listed }',
  'struct Award { address worker; uint80 amount; uint16 rank }',
  'event Created(bytes32 taskId, address requester, Terms terms, string note)',
  'event Decided(bytes32 taskId, address resolver, uint8 verdict, Award[] awards)',
  'event Twice(bytes32 taskId, address[] first, address[] second)',
  'event Uncounted(uint256[] values)',
  'event Unknown(bytes data)',
])
const layoutOf = (name: string) => layOutArgs(getEventAbi(abi, name))
const requester: Hex = '0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD'
const word = (digits: string): Hex => `0x${digits.repeat(32)}`
const hexOf = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'))

describe('the arguments of an event without their names', () => {
  test('given a struct with a list, then what is fixed is first, and the account is left out', () => {
    const terms = { reward: 2n ** 95n, mode: '0xDEADBEEF', tags: [word('11'), word('22')], listed: true }
    const packed = packArgs(layoutOf('Created'), { taskId: word('ff'), requester, terms, note: 'a\0b' }, requester)
    expect(packed.numbers).toBe(`${2n ** 95n},1`)
    expect(hexOf(packed.bytes)).toBe(`deadbeef${'11'.repeat(32)}${'22'.repeat(32)}`)
    expect(packed.text).toBe('a\ufffdb')
  })

  test('given a list of structs, then its numbers and bytes follow in the order of the elements', () => {
    const awards = [1, 2].map((rank) => ({ worker: `0x${`0${rank}`.repeat(20)}`, amount: BigInt(rank * 10), rank }))
    const packed = packArgs(layoutOf('Decided'), { resolver: requester, verdict: 3, awards }, requester)
    expect(packed).toMatchObject({ numbers: '3,10,1,20,2', text: null })
    expect(hexOf(packed.bytes)).toBe(`${'01'.repeat(20)}${'02'.repeat(20)}`)
  })

  test('given none, then nothing is stored', () => {
    const awards: never[] = []
    const packed = packArgs(layoutOf('Decided'), { resolver: requester, verdict: 3, awards }, requester)
    expect(packed).toEqual({ numbers: '3', bytes: null, text: null })
  })

  test('given another account than the event is about, then it is refused', () => {
    const args = { resolver: requester, verdict: 3, awards: [] }
    expect(() => packArgs(layoutOf('Decided'), args, `0x${'00'.repeat(20)}`)).toThrow('its resolver is another account')
    expect(() => packArgs(layoutOf('Decided'), args, null)).toThrow('another account')
  })

  test('given an event that cannot be packed, then it is refused', () => {
    expect(() => layoutOf('Twice')).toThrow('two lists')
    expect(() => layoutOf('Uncounted')).toThrow('no bytes to count them by')
    expect(() => layoutOf('Unknown')).toThrow('data is a bytes, which has no place')
  })

  test('given the events of the market about a task, then the history has a position for each', () => {
    const declared = taskMarketAbi.flatMap((item) =>
      item.type === 'event' && item.inputs.some(({ name }) => name === 'taskId') ? [item.name] : [],
    )
    expect([...taskEventNames].toSorted()).toEqual(declared.toSorted())
  })
})
