import { describe, expect, test } from 'vitest'
import { openTerminal } from '../../../client/src/mcp/terminal.ts'
import { anAttendedTerminal, hasTerminals } from '../../support/client/terminal.ts'

describe('The terminal as a channel to a person', () => {
  test('given no terminal, or the name of none, then no person can be asked', () => {
    expect(openTerminal('none')).toBeNull()
    expect(openTerminal('/dev/null')).toBeNull()
    expect(openTerminal(import.meta.filename)).toBeNull()
  })

  const right = (number: string) => number
  const wrong = (number: string) => (number === '1234' ? '4321' : '1234')
  test.runIf(hasTerminals).each([
    ['the numbers of both', right, right, [true, true]],
    ['another number, then the right one', wrong, right, [false, true]],
    ['the right one, then yes', right, () => 'y', [true, false]],
    ['nothing, then the right one and more', () => '', (number: string) => `${number}0`, [false, false]],
    // What was typed too early answers no question that comes after it.
    ['the number of the first one twice', (number: string) => `${number}\n${number}`, () => '', [true, false]],
  ])(
    'given two questions at one time and %s, then each is agreed to by its own number alone',
    async (_, first, second, agreed) => {
      const { path } = await anAttendedTerminal(first, second)
      const ask = openTerminal(path)
      const { signal } = new AbortController()
      expect(await Promise.all([ask?.('Send 5 USDC?', signal), ask?.('Send 7 USDC?', signal)])).toEqual(agreed)
    },
  )

  test.runIf(hasTerminals)('given a call that is over, then no answer is waited for', async () => {
    const { path } = await anAttendedTerminal()
    expect(await openTerminal(path)?.('Send 5 USDC?', AbortSignal.abort())).toBe(false)
  })
})
