import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { atLowestShare, processorsOfStrangers, withoutFirst } from '../../../api/concurrency/processors-of-strangers.ts'

test.each([
  ['0-3,8', '1-3,8'],
  ['0-1', '1'],
  ['2,5', '5'],
  ['4,6-7', '6-7'],
  ['0', null],
])('given the processors %s, then strangers get %s', (list, expected) => {
  expect(withoutFirst(list)).toBe(expected)
})

test('given a command, then it runs at the lowest priority, on the processors of strangers', () => {
  const { command, args } = atLowestShare('sh', ['-c', 'nice; cat /proc/self/status'])
  const [priority, ...status] = execFileSync(command, args, { encoding: 'utf8' }).split('\n')
  expect(priority).toBe('19')
  const own = processorsOfStrangers()
  if (own !== null) expect(status.join('\n')).toMatch(new RegExp(`Cpus_allowed_list:\\s*${own}\n`))
})
