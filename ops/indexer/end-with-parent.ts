/**
 * Preloaded into Ponder: ends it well when its supervisor is gone, however that ended. Two of them on one schema would
 * write over each other.
 */
const supervisor = process.ppid

setInterval(() => {
  if (process.ppid !== supervisor) process.kill(process.pid, 'SIGINT')
}, 250).unref()
