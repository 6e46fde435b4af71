import type { IncomingMessage } from 'node:http'

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/**
 * Calls `onLate` once when a request's body has not come whole in time. A request without a body has none to wait for.
 */
export function watchBody(
  request: IncomingMessage,
  { milliseconds, onLate }: { milliseconds: number; onLate: () => void },
): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (coding === undefined && Number(length) === 0) return
  const timer = setTimeout(() => {
    if (!request.complete) onLate()
  }, milliseconds)
  timers.set(request, timer.unref())
  request.once('close', () => clearTimeout(timer))
}

/** The reader of this body bounds it from now on. */
export function liftBodyDeadline(request: IncomingMessage): void {
  clearTimeout(timers.get(request))
}
