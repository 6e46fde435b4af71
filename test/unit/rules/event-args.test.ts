import fc from 'fast-check'
import { type AbiEvent, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { getEventAbi, toEventArgsJson } from '../../../protocol/rules/event-args.ts'

const abi = parseAbi([
  'struct Award { address worker; uint96 amount; uint16 rank }',
  'event Settled(bytes32 indexed taskId, address indexed worker, uint32 count, uint40 at, uint256 amount, bool last, string note, bytes4 selector, Award[] awards, address[] hooks)',
  'event Moved(uint256 value)',
  'function Moved(uint256 value)',
])
const settled = getEventAbi(abi, 'Settled')
const args = {
  taskId: '0xAB',
  worker: '0xABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD',
  count: 7,
  at: 1_700_000_000,
  amount: 2n ** 255n,
  last: true,
  note: 'plain',
  selector: '0xDEADBEEF',
  awards: [{ worker: '0xAA', amount: 5n, rank: 1 }],
  hooks: ['0xBB', '0xcc'],
}

describe('the arguments of an event as JSON', () => {
  test('given every type, then amounts and times are decimal strings, counts numbers, hex lower case, structs objects', () => {
    expect(toEventArgsJson(settled, args)).toEqual({
      taskId: '0xab',
      worker: '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd',
      count: 7,
      at: '1700000000',
      amount: (2n ** 255n).toString(),
      last: true,
      note: 'plain',
      selector: '0xdeadbeef',
      awards: [{ worker: '0xaa', amount: '5', rank: 1 }],
      hooks: ['0xbb', '0xcc'],
    })
  })

  test('given omitted arguments, then the others keep the order of the declaration', () => {
    expect(Object.keys(toEventArgsJson(settled, args, ['taskId', 'worker'])).slice(0, 3)).toEqual([
      'count',
      'at',
      'amount',
    ])
  })

  test('given any text, then Postgres json returns it, without its NULs and lone surrogates', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, position) => {
        const hostile = `${text.slice(0, position)}\0\ud800${text.slice(position)}`
        const note = String(toEventArgsJson(settled, { ...args, note: hostile }).note)
        expect(note).not.toContain('\0')
        expect(Buffer.from(note, 'utf8').toString('utf8')).toBe(note)
        expect(JSON.stringify(note)).not.toMatch(/\\u0000|\\ud[89a-f]/)
      }),
    )
  })

  test('given an argument that does not fit its declaration, then it is refused', () => {
    expect(() => toEventArgsJson(settled, { ...args, hooks: 'none' })).toThrow('hooks is no array')
    expect(() => toEventArgsJson(settled, { ...args, note: 7 })).toThrow('note is no string')
    expect(() => toEventArgsJson(settled, { ...args, awards: [null] })).toThrow('awards is no struct')
  })
})

describe('the declaration of an event', () => {
  test('given functions of the same name, then the event is found', () => {
    expect(getEventAbi(abi, 'Moved').type).toBe('event')
  })

  test('given none or two of the name, then it throws', () => {
    expect(() => getEventAbi(abi, 'Lost')).toThrow('0 events Lost')
    const twice: AbiEvent[] = [settled, settled]
    expect(() => getEventAbi(twice, 'Settled')).toThrow('2 events Settled')
  })
})
