import {
  type ContractErrorArgs,
  type ContractErrorName,
  concatHex,
  encodeErrorResult,
  pad,
  parseAbi,
  slice,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { errorsAbi } from '../../../abis/errors.ts'
import { decodeRevert } from '../../../api/chain/revert.ts'
import { hookFunctions } from '../../../api/chain/revert-sentences.ts'

const textAbi = parseAbi(['error Error(string)'])
const panicAbi = parseAbi(['error Panic(uint256)'])
type ErrorName = ContractErrorName<typeof errorsAbi>
const HOOK = '0x1111111111111111111111111111111111111111'

function messageOf<Name extends ErrorName>(errorName: Name, args: ContractErrorArgs<typeof errorsAbi, Name>): string {
  return decodeRevert(encodeErrorResult({ abi: errorsAbi, errorName, args } as never)).message
}

describe('the messages of the contracts’ errors', () => {
  it('given a status, then it is named', () => {
    expect(messageOf('WrongStatus', [10])).toBe('this is not possible while the task is cancelled (WrongStatus)')
    expect(messageOf('WrongStatus', [1])).toBe('this is not possible while the task is open (WrongStatus)')
    expect(messageOf('WrongStatus', [99])).toContain('of status 99')
  })

  it('given a time, then it is in ISO; one beyond every date stays a number', () => {
    expect(messageOf('DeadlineNotReached', [1_700_000_000n])).toContain('from 2023-11-14T22:13:20Z on')
    expect(messageOf('DeadlineNotReached', [2n ** 255n])).toContain(`second ${2n ** 255n}`)
  })

  it('given amounts, then they are in base units', () => {
    expect(messageOf('BidNotLower', [1_500_000n, 1_400_000n])).toBe(
      'the bid of 1500000 base units must be below 1400000 (BidNotLower)',
    )
  })

  it('given the names of the interface, then the message has them', () => {
    expect(messageOf('TaskTermsMismatch', [zeroHash, zeroHash])).toContain('(TaskTermsMismatch)')
    expect(messageOf('BidLimitReached', [500n])).toContain(
      '500 bids: only a bid below the lowest one is taken (BidLimitReached)',
    )
  })

  it('given no message of its own, then it is the contract’s error with its arguments', () => {
    expect(messageOf('NotRelayer', [zeroAddress])).toBe(`NotRelayer(${zeroAddress})`)
  })

  it('given every error with values of its types, then each has a message of one line', () => {
    for (const { name, inputs } of errorsAbi) {
      const args = inputs.map(({ type }) =>
        type === 'string' ? 'x' : type.startsWith('bytes') ? bytesOf(type) : numberOrAddress(type),
      )
      const message = messageOf(name, args as never)
      expect(message, name).toMatch(new RegExp(`^[^\n]*${name}[^\n]*$`))
      expect(message, name).not.toMatch(/undefined|NaN/)
    }
  })
})

describe('a hook’s refusal', () => {
  const veto = (reason: `0x${string}`) => messageOf('HookVetoed', [HOOK, '0x97942309', reason])
  const said = (text: string) => encodeErrorResult({ abi: textAbi, errorName: 'Error', args: [text] })

  it('given an error of the market, then it is named with its arguments', () => {
    const reason = encodeErrorResult({ abi: errorsAbi, errorName: 'TaskTermsMismatch', args: [zeroHash, zeroHash] })
    expect(veto(reason)).toBe(
      `the hook ${HOOK} refused in checkFund with TaskTermsMismatch(${zeroHash}, ${zeroHash}) (HookVetoed)`,
    )
  })

  it('given a refusal without data, then there is no reason', () => {
    expect(veto('0x')).toBe(`the hook ${HOOK} refused in checkFund without a reason (HookVetoed)`)
  })

  it('given a text, then the message has it, and says where the market copied only its start', () => {
    expect(veto(said('not on the list'))).toContain('refused in checkFund saying "not on the list" (HookVetoed)')
    const long = slice(said('x'.repeat(500)), 0, 256)
    expect(veto(long)).toContain(`saying "${'x'.repeat(188)}…"`)
  })

  it('given a text with control characters, then it has none of them', () => {
    const message = veto(said('\u001b[2J\u202Ednuf\r\nfree money\u0000'))
    expect(message).toContain('saying "\uFFFD[2J\uFFFDdnuf\uFFFD\uFFFDfree money\uFFFD"')
  })

  it('given such a text in an error of the market, then it has none of them either', () => {
    const reason = encodeErrorResult({ abi: errorsAbi, errorName: 'InvalidSuffix', args: ['a\u001b[31m'] })
    expect(veto(reason)).toContain('with InvalidSuffix(a\uFFFD[31m)')
  })

  it('given a panic, then it has the code', () => {
    expect(veto(encodeErrorResult({ abi: panicAbi, errorName: 'Panic', args: [0x11n] }))).toContain('with Panic(17)')
  })

  it('given unknown or malformed data, then it has selector and data', () => {
    expect(veto('0xdeadbeef')).toContain('with 0xdeadbeef (HookVetoed)')
    const data = concatHex(['0xdeadbeef', pad('0x', { size: 252 })])
    expect(veto(data)).toContain(`with 0xdeadbeef, data ${data} (HookVetoed)`)
    expect(veto('0xaabb')).toContain('with the data 0xaabb')
    const noText = concatHex(['0x08c379a0', pad('0xff', { size: 32 })])
    expect(veto(noText)).toContain(`with 0x08c379a0, data ${noText}`)
    expect(messageOf('HookVetoed', [HOOK, '0x12345678', '0x'])).toContain('refused in 0x12345678')
  })

  it('given all functions of the hook ABI, then their selectors make up its interface id', () => {
    const id = [...hookFunctions.keys()].reduce((sum, selector) => sum ^ BigInt(selector), 0n)
    expect(toHex(id)).toBe('0x2187b4de')
  })
})

function bytesOf(type: string) {
  if (type === 'bytes') return '0x'
  return pad('0x', { size: Number(type.slice('bytes'.length)) })
}

function numberOrAddress(type: string) {
  if (type === 'address') return zeroAddress
  const bits = Number(/\d+$/.exec(type)?.[0])
  return bits > 48 ? 7n : 7
}
