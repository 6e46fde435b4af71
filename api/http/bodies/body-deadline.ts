import type { IncomingMessage } from 'node:http'

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Calls `onLate` once if a request's body is incomplete after `milliseconds`. Requests without a body have no deadline.
 */
export function watchBody(
  request: IncomingMessage,
  { milliseconds, onLate }: { milliseconds: number; onLate: () => void },
): void {
  if (!hasBody(request)) return
  const timer = setTimeout(() => {
    if (!request.complete) onLate()
  }, milliseconds)
  timers.set(request, timer.unref())
  request.once('close', () => clearTimeout(timer))
}

/**
 * Removes the deadline that `watchBody` set for a request's body. Used if the reader of the body enforces a deadline
 * itself.
 */
export function liftBodyDeadline(request: IncomingMessage): void {
  clearTimeout(timers.get(request))
}

/** Returns true if a request's headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return coding !== undefined || Number(length) !== 0
}
