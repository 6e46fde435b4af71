/**
 * A module preloaded into Ponder that ends it cleanly when its supervisor is gone for any reason. Two Ponders on one schema would
 * overwrite each other.
 */
const supervisor = process.ppid

setInterval(() => {
  if (process.ppid !== supervisor) process.kill(process.pid, 'SIGINT')
}, 250).unref()
