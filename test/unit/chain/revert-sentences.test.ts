import {
  type ContractErrorArgs,
  type ContractErrorName,
  concatHex,
  encodeErrorResult,
  pad,
  slice,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { errorsAbi } from '../../../abis/errors.ts'
import { hookFunctions } from '../../../api/chain/hook-functions.ts'
import { decodeRevert } from '../../../api/chain/revert.ts'

type ErrorName = ContractErrorName<typeof errorsAbi>
const HOOK = '0x1111111111111111111111111111111111111111'

function messageOf<Name extends ErrorName>(errorName: Name, args: ContractErrorArgs<typeof errorsAbi, Name>): string {
  return decodeRevert(encodeErrorResult({ abi: errorsAbi, errorName, args } as never)).message
}

describe('what the contracts’ errors say to callers', () => {
  it('given a status, then by its name', () => {
    expect(messageOf('WrongStatus', [10])).toBe('this is not possible while the task is cancelled (WrongStatus)')
    expect(messageOf('WrongStatus', [1])).toBe('this is not possible while the task is open (WrongStatus)')
    expect(messageOf('WrongStatus', [99])).toContain('of status 99')
  })

  it('given a time, then in ISO; one that no date holds stays a number', () => {
    expect(messageOf('DeadlineNotReached', [1_700_000_000n])).toContain('from 2023-11-14T22:13:20Z on')
    expect(messageOf('DeadlineNotReached', [2n ** 255n])).toContain(`second ${2n ** 255n}`)
  })

  it('given amounts, then in base units', () => {
    expect(messageOf('BidNotLower', [1_500_000n, 1_400_000n])).toBe(
      'the bid of 1500000 base units must be below 1400000 (BidNotLower)',
    )
  })

  it('given the names the interface promises, then they are told', () => {
    expect(messageOf('TaskTermsMismatch', [zeroHash, zeroHash])).toContain('(TaskTermsMismatch)')
    expect(messageOf('BidLimitReached', [500n])).toContain('the 500 bids it may have (BidLimitReached)')
  })

  it('given no row, then as the contract wrote it', () => {
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

describe('a hook’s veto', () => {
  const veto = (reason: `0x${string}`) => messageOf('HookVetoed', [HOOK, '0x97942309', reason])

  it('given an error the market knows, then by name', () => {
    const selector = slice(
      encodeErrorResult({ abi: errorsAbi, errorName: 'TaskTermsMismatch', args: [zeroHash, zeroHash] }),
      0,
      4,
    )
    const reason = concatHex([selector, pad('0xff', { size: 28 })])
    expect(veto(reason)).toBe(`the hook ${HOOK} refused in checkFund with TaskTermsMismatch (HookVetoed)`)
  })

  it('given a plain no, then without a reason', () => {
    expect(veto(zeroHash)).toBe(`the hook ${HOOK} refused in checkFund without a reason (HookVetoed)`)
  })

  it('given a text or something unknown, then it is not guessed at', () => {
    expect(veto(pad('0x08c379a0', { dir: 'right', size: 32 }))).toContain('with a text of its own')
    expect(veto(pad('0xdeadbeef', { dir: 'right', size: 32 }))).toContain('with 0xdeadbeef')
    expect(messageOf('HookVetoed', [HOOK, '0x12345678', zeroHash])).toContain('refused in 0x12345678')
  })

  it('given all functions of the hook ABI, then their selectors make up its interface id', () => {
    const id = [...hookFunctions.keys()].reduce((sum, selector) => sum ^ BigInt(selector), 0n)
    expect(toHex(id)).toBe('0x2187b4de')
  })
})

function bytesOf(type: string) {
  return pad('0x', { size: Number(type.slice('bytes'.length)) })
}

function numberOrAddress(type: string) {
  if (type === 'address') return zeroAddress
  const bits = Number(/\d+$/.exec(type)?.[0])
  return bits > 48 ? 7n : 7
}
