import { encodeErrorResult, parseAbi, slice } from 'viem'
import { describe, expect, it } from 'vitest'
import { describeError, explainVetoes, parseErrors, showVetoData } from '../../../protocol/hook-veto.ts'

const worker = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955'
const errors = parseAbi([
  'error SubmittedBefore(address worker)',
  'error TooLate()',
  'error Said(string text)',
  'struct Price { uint256 amount; address[] payers; }',
  'error TooDear(Price price)',
])
const submittedBefore = encodeErrorResult({ abi: errors, errorName: 'SubmittedBefore', args: [worker] })
const tooLate = encodeErrorResult({ abi: errors, errorName: 'TooLate' })

describe('the errors of a hook’s author in an answer', () => {
  it('given the sentence of the service, then data becomes the error with its arguments', () => {
    const sentence = (data: `0x${string}`) =>
      `"the hook refused in checkSubmit ${showVetoData(data)} (HookVetoed) https://market.example/docs"`
    expect(explainVetoes(sentence(submittedBefore), errors)).toBe(
      `"the hook refused in checkSubmit with SubmittedBefore(${worker}) (HookVetoed) https://market.example/docs"`,
    )
    expect(explainVetoes(sentence(tooLate), errors)).toContain('with TooLate() (HookVetoed)')
  })

  it('given the market’s error as it is written, then its last argument becomes the error', () => {
    const written = `HookVetoed(${worker}, 0xb65065f4, ${submittedBefore})`
    expect(explainVetoes(written, errors)).toBe(`HookVetoed(${worker}, 0xb65065f4, SubmittedBefore(${worker}))`)
  })

  it('given data that the ABI does not have, then it stays', () => {
    const sentence = `refused ${showVetoData('0xdeadbeef')} (HookVetoed)`
    expect(explainVetoes(sentence, errors)).toBe(sentence)
  })

  it('given data that was cut, then the error has its name', () => {
    const data = slice(submittedBefore, 0, 20)
    expect(explainVetoes(`refused ${showVetoData(data)} (HookVetoed)`, errors)).toBe(
      `refused with SubmittedBefore(cut: ${data}) (HookVetoed)`,
    )
  })

  it('given a struct, then its members have their names', () => {
    const args = [{ amount: 5n, payers: [worker, worker] }] as const
    expect(describeError(encodeErrorResult({ abi: errors, errorName: 'TooDear', args }), errors)).toBe(
      `TooDear({amount: 5, payers: [${worker}, ${worker}]})`,
    )
  })

  it('given a text of the author, then it cannot end a string of JSON or hide anything', () => {
    const data = encodeErrorResult({ abi: errors, errorName: 'Said', args: ['"\\\u001b[2J\u202e\n'] })
    expect(describeError(data, errors)).toBe('Said(???[2J??)')
  })
})

describe('an ABI file', () => {
  it('given an ABI or an artifact, then its errors are read', () => {
    expect(parseErrors(JSON.stringify([...errors, { type: 'fallback' }]))).toEqual(errors)
    expect(parseErrors(JSON.stringify({ abi: errors }))).toEqual(errors)
  })

  it.each(['[]', '{}', 'null', '{"abi":3}'])('given %s, then it is refused', (text) => {
    expect(() => parseErrors(text)).toThrow('no ABI with errors')
  })
})
