/**
 * Where a fault test can end or stop the process, in the order a write meets them: around each step that must survive
 * it. The ones from `after-sign` to `after-answer` are met by refunds too.
 */
export const failpoints = [
  'after-reserve',
  'after-verify',
  'after-simulate',
  /** The binding and its content are written, and not committed. */
  'before-bind-commit',
  'after-bind',
  'after-sign',
  /** The node has the bytes, or said no to them; nothing is noted about it. */
  'after-send',
  /** The send is noted. */
  'after-answer',
  'after-mined',
  /** The outcome is not committed: of a plain call not yet written either, since that is one statement. */
  'before-complete-commit',
  /** The outcome is stored; no waiter was notified. */
  'after-complete',
  /** The answer is made of it. */
  'before-reply',
] as const

/** The same for files: of a submission on its way to its binding. */
export const filePoints = [
  /** One upload has its second name, and is not looked into. */
  'after-adopt',
  /** All files are in storage; nothing is simulated. */
  'after-store',
] as const

/** And in the retention of files. */
export const sweepPoints = [
  /** Rows are claimed; their bytes are there. */
  'after-take',
  /** Bytes are gone; nothing is noted about it. */
  'after-empty',
  /** They are gone for good; their row is there. */
  'before-forget',
] as const

const allPoints = [...failpoints, ...filePoints, ...sweepPoints]
export type Failpoint = (typeof allPoints)[number]

/** `kill` ends the process with no chance to tidy up; `stop` freezes it once, until it is sent SIGCONT. */
const failpointActions = ['kill', 'stop'] as const
type FailpointAction = (typeof failpointActions)[number]

/** Marks a point that has been reached; the process ends or stops there when it is the one asked for. */
export type ReachFailpoint = (point: Failpoint) => void

const signals: Record<FailpointAction, NodeJS.Signals> = { kill: 'SIGKILL', stop: 'SIGSTOP' }

/**
 * Nothing at all unless a point is named, as `<name>` or `<name>:<action>`; without an action the process is killed.
 * @param signal sends this process a signal
 * @throws when there is no such point or action
 */
export function createFailpoint(
  setting: string | undefined,
  signal: (name: NodeJS.Signals) => void = (name) => process.kill(process.pid, name),
): ReachFailpoint {
  if (setting === undefined || setting === '') return () => {}
  const [name = '', action = 'kill', ...rest] = setting.split(':')
  if (!isOneOf(allPoints, name)) throw new Error(`FAILPOINT: there is no point named ${name}`)
  if (!isOneOf(failpointActions, action) || rest.length > 0) {
    throw new Error(`FAILPOINT: ${setting} is not <name> or <name>:<${failpointActions.join('|')}>`)
  }
  let isReached = false
  return (point) => {
    if (point !== name || isReached) return
    isReached = true
    signal(signals[action])
  }
}

function isOneOf<Word extends string>(words: readonly Word[], word: string): word is Word {
  return words.some((known) => known === word)
}
