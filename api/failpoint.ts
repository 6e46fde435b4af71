/**
 * The points at which a fault test can end or stop the process, in the order of a write: around each step that must
 * survive it. Refunds pass those from `after-sign` to `after-answer` too.
 */
export const failpoints = [
  'after-reserve',
  'after-verify',
  'after-simulate',
  /** The binding and its content are written, and not committed. */
  'before-bind-commit',
  'after-bind',
  'after-sign',
  /** The node has accepted or refused the bytes; nothing is recorded. */
  'after-send',
  /** The send is recorded. */
  'after-answer',
  'after-mined',
  /** The outcome is not committed; that of a plain call is not yet written, because it is one statement. */
  'before-complete-commit',
  /** The outcome is stored; no waiter was notified. */
  'after-complete',
  /** The answer is built. */
  'before-reply',
] as const

/** The points of a submission's files before they are bound. */
export const filePoints = [
  /** One upload has its second name, and is not read. */
  'after-adopt',
  /** All files are in storage; nothing is simulated. */
  'after-store',
] as const

/** The points in the retention of files. */
export const sweepPoints = [
  /** Rows are claimed; their bytes exist. */
  'after-take',
  /** Bytes are deleted; nothing is recorded. */
  'after-empty',
  /** The bytes are gone for good; their row exists. */
  'before-forget',
] as const

const allPoints = [...failpoints, ...filePoints, ...sweepPoints]
export type Failpoint = (typeof allPoints)[number]

/** The actions: `kill` ends the process without a clean-up; `stop` pauses it once, until SIGCONT. */
const failpointActions = ['kill', 'stop'] as const
type FailpointAction = (typeof failpointActions)[number]

/** Marks a reached point; the process ends or stops when it is the configured one. */
export type ReachFailpoint = (point: Failpoint) => void

const signals: Record<FailpointAction, NodeJS.Signals> = { kill: 'SIGKILL', stop: 'SIGSTOP' }

/**
 * Creates the marker of points, which does nothing unless a point is configured, as `<name>` or `<name>:<action>`; the
 * default action is `kill`. Example: `createFailpoint('after-sign:stop')`.
 * @param signal sends this process a signal
 * @throws for an unknown point or action
 */
export function createFailpoint(
  setting: string | undefined,
  signal: (name: NodeJS.Signals) => void = (name) => process.kill(process.pid, name),
): ReachFailpoint {
  if (setting === undefined || setting === '') return () => {}
  const [name = '', action = 'kill', ...extraParts] = setting.split(':')
  if (!isOneOf(allPoints, name)) throw new Error(`FAILPOINT: there is no point named ${name}`)
  if (!isOneOf(failpointActions, action) || extraParts.length > 0) {
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
  return words.some((candidate) => candidate === word)
}
