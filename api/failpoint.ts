/**
 * The failpoints in the processing of a write, in order. A failpoint is a place where a fault test can end or pause the
 * process. The failpoints lie before and after each step that must survive a crash. The processing of a refund also
 * reaches the failpoints `after-sign`, `after-send` and `after-answer`.
 */
export const failpoints = [
  'after-reserve',
  'after-verify',
  'after-simulate',
  /** The intent and its content are written but not committed. */
  'before-bind-commit',
  'after-bind',
  'after-sign',
  /** The node has accepted or refused the transaction; this is not yet recorded. */
  'after-send',
  /** The database records that the transaction was sent. */
  'after-answer',
  'after-mined',
  /**
   * The outcome is not committed. If the write is a plain call, the outcome is not written, because one later statement
   * writes and commits the outcome. If the write is not a plain call, the outcome is written.
   */
  'before-complete-commit',
  /** The outcome is committed; no waiting request was notified. */
  'after-complete',
  /** The answer is built but not sent. */
  'before-reply',
] as const

/**
 * The failpoints while the service stores the files of a submission. A failpoint is a place where a fault test can end
 * or pause the process. The files are not bound to the submission's intent yet.
 */
export const filePoints = [
  /** One upload is copied to an artifact but not yet hashed. */
  'after-adopt',
  /** All files are in storage; the call is not yet simulated. */
  'after-store',
] as const

/**
 * The failpoints in a pass of `enforceRetention`, which deletes the files that no write needs. A failpoint is a place
 * where a fault test can end or pause the process.
 */
export const sweepPoints = [
  /** Rows are marked for deletion; the files' bytes still exist. */
  'after-take',
  /** The bytes are deleted; this is not yet recorded. */
  'after-empty',
  /** The bytes are deleted for the second time; the rows still exist. */
  'before-forget',
] as const

const allPoints = [...failpoints, ...filePoints, ...sweepPoints]
export type Failpoint = (typeof allPoints)[number]

/**
 * The actions at a failpoint. `kill` ends the process without any clean-up; `stop` pauses the process until SIGCONT.
 */
const failpointActions = ['kill', 'stop'] as const
type FailpointAction = (typeof failpointActions)[number]

/**
 * Reports that the process has reached a failpoint. If this failpoint is the configured one, the process ends or
 * pauses.
 */
export type ReachFailpoint = (point: Failpoint) => void

const signals: Record<FailpointAction, NodeJS.Signals> = { kill: 'SIGKILL', stop: 'SIGSTOP' }

/**
 * Creates the function that the service calls when it reaches a failpoint. If the reached failpoint is the one in
 * `setting`, the function ends or pauses the process, once. Otherwise, the function does nothing. The form of `setting`
 * is `<name>` or `<name>:<action>`. The default action is `kill`. Example: `createFailpoint('after-sign:stop')`.
 * @param signal sends a signal to this process
 * @throws an error for an unknown point or action
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
