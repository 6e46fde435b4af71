/** Where a fault test can end the process: before and after each step that must survive it. */
export const failpoints = [
  'after-reserve',
  'after-verify',
  'after-bind',
  'after-sign',
  'after-send',
  'after-mined',
  'after-complete',
] as const
export type Failpoint = (typeof failpoints)[number]

/** Marks a point that has been reached; the process ends there when it is the one asked for. */
export type ReachFailpoint = (point: Failpoint) => void

/**
 * Nothing at all unless a point is named; then the process kills itself at it, with no chance to tidy up.
 * @throws when there is no such point
 */
export function createFailpoint(name: string | undefined): ReachFailpoint {
  if (name === undefined || name === '') return () => {}
  if (!failpoints.some((point) => point === name)) throw new Error(`FAILPOINT: there is no point named ${name}`)
  return (point) => {
    if (point === name) process.kill(process.pid, 'SIGKILL')
  }
}
