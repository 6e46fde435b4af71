import { readFileSync } from 'node:fs'
import { listOwnProcesses } from '../../scripts/stack/process-cpu.ts'

/** The kernel counts a hundred ticks a second in /proc, whatever its own clock is. */
const TICKS_A_SECOND = 100

/** Makes a meter of what the machine does beside this process and all below it: cores in use since its last call. */
export function createOtherWorkMeter(): () => number {
  let before = readTimes()
  return () => {
    const now = readTimes()
    const [all, ofOurs, elapsed] = [now.all - before.all, now.ofOurs - before.ofOurs, (now.at - before.at) / 1000]
    before = now
    return Math.max(0, all - ofOurs) / elapsed
  }
}

function readTimes(): { all: number; ofOurs: number; at: number } {
  const [, user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .map(Number)
  const ofOurs = listOwnProcesses().reduce((sum, { seconds, secondsOfEnded }) => sum + seconds + secondsOfEnded, 0)
  return { all: (user + nice + system + interrupts + softInterrupts) / TICKS_A_SECOND, ofOurs, at: performance.now() }
}
