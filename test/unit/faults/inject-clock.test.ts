import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { createClockSkew } from '../../faults/inject/clock-skew.ts'

const minute = 60_000

/** A process that reports its clocks on request. */
const clocks = `
  process.stdin.on('data', () => console.log(JSON.stringify({
    now: Date.now(), made: new Date().getTime(), called: Date.parse(Date()), fixed: new Date(0).getTime(),
    isDate: new Date() instanceof Date, steady: performance.now(),
  })))`

it('given a skew, then the wall clock of the process has it, and follows each change', async () => {
  const skew = createClockSkew(10 * minute)
  onTestFinished(skew.remove)
  const child = spawn(process.execPath, ['-e', clocks], {
    env: { ...process.env, ...skew.environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async () => {
    child.stdin.write('\n')
    const { value } = await lines.next()
    return JSON.parse(value ?? '')
  }
  const first = await ask()
  expect(first.now - Date.now()).toBeGreaterThan(9.9 * minute)
  expect(first.made - Date.now()).toBeGreaterThan(9.9 * minute)
  expect(first.called - Date.now()).toBeGreaterThan(9.9 * minute)
  expect(first).toMatchObject({ fixed: 0, isDate: true })

  const { pid } = child
  if (pid === undefined) throw new Error('it did not start')
  await skew.jump([pid], -10 * minute)
  const second = await ask()
  expect(second.now - Date.now()).toBeLessThan(-9.9 * minute)
  expect(second.steady).toBeGreaterThan(first.steady)
  expect(second.steady - first.steady).toBeLessThan(minute)
})
