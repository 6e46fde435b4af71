/**
 * Calls `stop` with a reason when this process must end: after a signal, or when the process that started it
 * (scripts/bootstrap.mjs) is gone. Only the first request counts, because Ctrl-C in a terminal arrives twice: from the
 * terminal, and from the bootstrap.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let isAsked = false
  const ask = (reason: string) => {
    if (isAsked) return
    isAsked = true
    stop(reason)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal))
  if (process.connected) process.once('disconnect', () => ask('the launching process is gone'))
  // Listening to the channel must not keep an otherwise finished process alive.
  process.channel?.unref()
}
